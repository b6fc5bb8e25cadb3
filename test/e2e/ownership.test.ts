/**
 * Who owns a channel after a series of commands on the real engine. Each rule alone is tested in
 * test/provider/managed.test.ts and managed-creates.test.ts.
 */
import { environmentFor } from "../support/account";
import { Cli } from "../support/cli";
import { useEmulator } from "../support/emulator";
import { describeWithPulumi } from "../support/engines";

const OTHER_TOKEN = "other-account-token";
const UNPROVEN =
  /got 404, but the list of its domain, which would prove that it is gone, cannot be read .*pulumi config set domain-monitoring:abandon/;

const SHARED = { id: "11111111-1111-4111-8111-111111111111", domain: "example.com" };

describeWithPulumi("whose an object is", () => {
  let cli: Cli;

  const service = useEmulator({
    lifecycle: "managed",
    domains: [SHARED],
    accounts: { [OTHER_TOKEN]: [{ domain: "other.example" }] },
  });

  async function open(program: string): Promise<void> {
    cli = await Cli.open(program, environmentFor(service));
    await cli.run("config", "set", "domain-monitoring:lifecycle", "managed");
  }

  /** Names of the resources in the state. */
  function recorded(): (string | undefined)[] {
    const resources = cli.resources<{ type: string; urn: string }>();
    const own = resources.filter(({ type }) => !type.startsWith("pulumi:"));
    return own.map(({ urn }) => urn.split("::").at(-1));
  }

  const DOMAINS = `
    const { Domain, NotificationChannel } = require("pulumi-domain-monitoring");
    const channel = (name, domainId) =>
      new NotificationChannel(name, { domainId, label: "Channel " + name, type: "pushover", value: null });
    for (const name of ["one", "two", "three"]) {
      const domain = new Domain(name, { domain: name + ".example" });
      if (name === "one") channel("ops", domain.id);
    }`;

  it("drops no channel with a token of another account at the same address, and says so", async () => {
    await open(DOMAINS);
    expect((await cli.change("up")).code).toBe(0);

    cli.set("DOMAIN_MONITORING_API_TOKEN", OTHER_TOKEN);
    for (const command of ["refresh", "destroy"] as const) {
      const { code, output } = await cli.change(command);
      expect(code).not.toBe(0);
      expect(output).toMatch(UNPROVEN);
      expect(output).not.toContain(OTHER_TOKEN);
    }

    expect(recorded()).toContain("ops");
    expect(service.domains()).toHaveLength(4);
    expect(service.channels()).toHaveLength(1);

    // What has left the state is taken over again.
    cli.set("DOMAIN_MONITORING_API_TOKEN", service.token);
    expect((await cli.change("up")).code).toBe(0);
    expect(recorded().sort()).toEqual(["one", "ops", "three", "two"]);
    expect(service.domains()).toHaveLength(4);
    expect(service.channels()).toHaveLength(1);
  });

  it("has domains that were removed by hand monitored again with their channels, by the commands of the errors", async () => {
    await open(DOMAINS);
    expect((await cli.change("up")).code).toBe(0);

    for (const { id } of service.domains()) service.removeDomain(id);
    expect((await cli.change("destroy")).output).toMatch(UNPROVEN);

    let confirmed = "";
    // A failing refresh may not reach every resource.
    for (let attempt = 0; attempt < 4; attempt++) {
      const { code, output } = await cli.change("refresh", "--run-program");
      if (code === 0) break;

      const commands = [...output.matchAll(/pulumi config set domain-monitoring:abandon (\S+)`/g)];
      const [longest = ""] = commands
        .map(([, ids = ""]) => ids)
        .sort((a, b) => b.length - a.length);

      expect(longest).toContain(confirmed);

      confirmed = longest;
      await cli.run("config", "set", "domain-monitoring:abandon", confirmed);
    }

    expect(recorded()).toEqual([]);
    expect((await cli.change("up")).code).toBe(0);
    expect(service.domains()).toHaveLength(3);
    expect(service.channels()).toHaveLength(1);
    expect(service.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });

  it("warns in the preview that deletedWith leaves a channel behind whose domain stays", async () => {
    await open(`
      const { Domain, NotificationChannel } = require("pulumi-domain-monitoring");
      const domain = new Domain("one", { domain: "one.example" });
      new NotificationChannel("ops", { domainId: domain.id, label: "Ops", type: "pushover", value: null }, { deletedWith: domain });`);

    const { output } = await cli.run("preview");
    expect(output).toContain("deletedWith names the channel's domain, which Pulumi never deletes");
  });
});
