/** Whole programs that require changes to be reviewed: what the engine shows of it. */
import { requireDomainExpiry, requireReviewedChanges, requireReviewedChangesOutput } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

describeOnEngines("a program that requires changes to be reviewed", (create) => {
  const id = "44444444-4444-4444-8444-444444444444";
  const projects = new Projects();
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({
      domains: [{ id, domain: "example.dev", expiresAt: "2999-12-31", whoisChanges: [], dnsChanges: [] }],
    });
  });
  afterEach(() => service.close());

  const settings = () => ({
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": service.token },
  });
  const change = "77ab0000-0000-4000-8000-000000000002";
  const stolen = (seed: { id?: string; createdAt: string }) =>
    service.addChange(id, "whois", {
      fieldChanged: "nameservers",
      oldValue: ["ns1.example.net"],
      newValue: ["ns1.thief.example"],
      ...seed,
    });

  it("ends with one line that names the change by its domain's name, and goes on once it is reviewed", async () => {
    stolen({ id: change, createdAt: "2026-03-09 02:00:00" });
    stolen({ createdAt: "2025-12-31 23:59:59" });
    const rule = { domain: "example.dev", since: "2026-01-01" };
    // In a process of its own, which ends.
    const refusedProgram = `
      const dm = require("pulumi-domain-monitoring");
      exports.result = dm.requireReviewedChanges(${JSON.stringify(rule)});`;
    const workDir = projects.add("index.js", { "index.js": refusedProgram });
    const refused = await (await create({ workDir, ...settings() })).preview();
    expect(refused.failed).toBe(true);
    const errors = messagesOf(refused, "error").join("\n");
    expect(errors).toContain(
      "example.dev has 1 change that nobody has reviewed: nameservers: ns1.example.net → ns1.thief.example " +
        `(2026-03-09 02:00:00, ${change}). If they were intended, add their ids to reviewed`,
    );
    expect(errors).not.toMatch(/\n\s+at |\.js:\d+/);

    const program = async () => ({
      result: await requireReviewedChanges({ ...rule, reviewed: [change] }),
      expiry: await requireDomainExpiry({ domain: "EXAMPLE.dev", minimumDays: 30 }),
    });
    const stack = await create({ program, ...settings() });
    const before = service.requests.length;
    const { failed, outputs } = await stack.up();
    expect(failed).toBe(false);
    expect(outputs).toMatchObject({
      result: { value: { domainId: id, unreviewed: [] } },
      expiry: { value: { severity: "none" } },
    });
    // One reading of the list serves both look-ups.
    expect(
      service.requests.slice(before).filter(({ operation }) => operation === "listDomains"),
    ).toHaveLength(1);
  });

  it("warns instead where it is told to, also in the form for outputs", async () => {
    stolen({ id: change, createdAt: "2026-03-09 02:00:00" });
    const program = async () => ({
      unreviewed: requireReviewedChangesOutput({ id, since: "2026-01-01", mode: "warn" }).unreviewed,
    });
    const stack = await create({ program, ...settings() });
    const outcome = await stack.up();
    expect(outcome.failed).toBe(false);
    expect(messagesOf(outcome, "warning")).toEqual([expect.stringContaining(change)]);
    expect(outcome.outputs).toMatchObject({ unreviewed: { value: [{ id: change, kind: "whois" }] } });
  });
});
