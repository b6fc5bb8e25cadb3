/**
 * The jobs for GitHub together: what a team sees over days. GitHub's own decisions (conditions,
 * secrets, schedules) are in workflows.test.ts, and single steps in exit-codes and night.
 */
import { useEmulator } from "../support/emulator";
import { describeWithPulumi } from "../support/engines";
import { Team } from "./support/team";

const HEALTHY = "11111111-1111-4111-8111-111111111111";
const EXPIRING = "22222222-2222-4222-8222-222222222222";
const well = { report: 0, drift: 0, open: [] };

describeWithPulumi("the jobs", () => {
  let team: Team;
  // Channels are create-only until the stack sets another lifecycle.
  const service = useEmulator({ lifecycle: "managed" });

  beforeEach(async () => {
    service.removeDomain(EXPIRING);
    team = await Team.open(service, HEALTHY);
  });

  afterEach(() => team.expectNoSecret());

  it("deploy each channel once", async () => {
    for (const _run of ["first", "second"]) {
      expect(await team.deploy()).toMatchObject({ code: 0 });
      expect(service.channels()).toHaveLength(1);
    }

    expect(await team.night()).toEqual(well);

    // A nightly run cannot find that create-only channels were deleted by hand. docs/ci-cd.md says
    // so; change both together.
    for (const channel of service.channels()) service.removeChannel(channel.id);
    expect(await team.night()).toEqual(well);
  });

  it("keep one issue open while a domain breaks the rules", async () => {
    expect(await team.deploy()).toMatchObject({ code: 0 });

    const id = service.addDomain({ domain: "late.example", expiresAt: "2026-01-01" });
    for (const _night of ["first", "second"])
      expect(await team.night()).toEqual({
        report: 2,
        drift: 0,
        open: [expect.stringContaining("late")],
      });

    expect(team.issues).toMatchObject([{ comments: [] }]);

    service.removeDomain(id);
    expect(await team.night()).toEqual(well);
  });

  it("deploy nothing after a killed deployment until its advice was followed", async () => {
    // Every create stalls, so the stack has recorded no channel, and then the engine writes nothing.
    service.fault({ operation: "createNotificationChannel", stall: "after", times: "always" });
    await team.killDeployment(() => service.channels().length === 1);
    service.clearFaults();
    const stopped = await team.deploy();

    expect(stopped.code).not.toBe(0);
    expect(stopped.printed).toMatch(/^"urn": "urn:.*:NotificationChannel::.*",$/m);
    expect(stopped.printed).toContain("docs/ci-cd.md, After a killed run");

    // The advice.
    for (const { id } of service.channels()) service.removeChannel(id);
    await team.play("pulumi cancel --yes --stack staging");
    await team.runs("pulumi refresh --clear-pending-creates --yes --stack staging");

    expect(await team.deploy()).toMatchObject({ code: 0 });
    expect(service.channels()).toHaveLength(1);
  });

  it("find changes of managed channels in the service, which a refresh undoes", async () => {
    await team.runs("pulumi config set domain-monitoring:lifecycle managed");
    expect(await team.deploy()).toMatchObject({ code: 0 });

    const [{ id = "", label } = {}] = service.channels();
    service.updateChannel(id, { label: "By hand" });
    const { report, drift } = await team.night();
    expect(report).toBe(0);
    expect(drift).not.toBe(0);

    await team.runs("pulumi up --refresh --yes --skip-preview --stack staging");
    expect(service.channels()).toContainEqual(expect.objectContaining({ id, label }));
    expect(await team.night()).toEqual(well);
  });
});
