import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { Projects } from "../support/project";

const token = "token-to-keep-secret";
const hook = "https://hooks.example.com/services/destination-to-keep-secret";
const address = "destination-to-keep-secret@example.com";
const pack = path.join(__dirname, "../../examples/policy-pack");
const describeWithCommand = realEngineAvailable ? describe : describe.skip;

const ops = { label: "On-call", type: "slack", value: hook };

const desk = { label: "registrar team", type: "email", value: address };

const nothing = {
  whoisNotificationsEnabled: false,
  dnsNotificationsEnabled: false,
  sslNotificationsEnabled: false,
};

describeWithCommand("a policy pack, on the real engine", () => {
  let projects: Projects;
  let service: Emulator;
  let open: Cli[];

  beforeAll(() => {
    projects = new Projects();
  });

  afterAll(() => projects.remove());
  beforeEach(async () => {
    open = [];
    service = await startEmulator({ token });
  });

  afterEach(async () => {
    for (const cli of open) cli.close();
    await service.close();
  });

  /** A stack whose program is a `DomainAlerts`, with a copy of the example pack beside it. */
  async function stackOf(stack: string, domainId: string, channels: object, outputs = "") {
    const args = JSON.stringify({ domainId, channels });
    const program = `
      const { DomainAlerts } = require("pulumi-domain-monitoring");
      const alerts = new DomainAlerts("website", ${args});
      ${outputs}`;

    const workDir = projects.add("index.js", { "index.js": program });
    // Beside the project's packages, as the engine starts a pack in its own directory.
    cpSync(pack, path.join(workDir, "pack"), { recursive: true });
    const cli = new Cli(workDir, {
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_MONITORING_API_TOKEN: token,
    });

    open.push(cli);
    await cli.run("stack", "init", stack);

    return { cli, workDir };
  }

  const healthy = "11111111-1111-4111-8111-111111111111";
  const expiring = "22222222-2222-4222-8222-222222222222";

  it("fails a preview with every violation, and prints no destination", async () => {
    const { cli } = await stackOf("prod", expiring, {
      desk,
      hook: { ...desk, ...nothing, type: "webhook", value: hook },
    });

    const { code, output } = await cli.run("preview", "--policy-pack", "pack");

    expect(code).not.toBe(0);

    for (const line of [
      'channel "website-desk" is of type email, which stack prod may not have: send it to the registrar team\'s Slack channel instead',
      'channel "website-hook" has its WHOIS, DNS and SSL notifications off, so it never notifies anyone',
      'the label of channel "website-desk" does not match /^[A-Z]/: begin it with a capital letter',
      'the domain of "website" has no channel of type slack: declare one for it in this stack',
      'channel "website-desk" is create-only, so replacing or removing it leaves it in the service',
    ]) {
      expect(output).toContain(line);
    }

    expect(output).toMatch(
      /the domain of "website" expires on [\d-]+, 1[12] days left, 14 required/,
    );

    expect(output).not.toMatch(/can't run policy|to-keep-secret/);

    // The lifecycle of the stack is among the inputs that policies receive.
    await cli.run("config", "set", "domain-monitoring:lifecycle", "managed");
    const managed = await cli.run("preview", "--policy-pack", "pack");

    expect(managed.output).toContain("is of type email");
    expect(managed.output).not.toContain("is create-only");
    expect(service.channels()).toEqual([]);
  });

  it("applies fewer policies to other stacks, and evaluates a deployed stack", async () => {
    const { cli } = await stackOf("dev", healthy, { ops, desk });
    const up = await cli.run("up", "--yes", "--skip-preview", "--policy-pack", "pack");

    expect(up.code).toBe(0);
    expect(service.channels()).toHaveLength(2);

    const analyzed = await cli.run("policy", "analyze", "--policy-pack", "pack", "--stack", "dev");
    for (const { output } of [up, analyzed]) {
      expect(output).toMatch(/\[advisory\]\s+domain-monitoring-channel-label/);
      expect(output).not.toMatch(/\[mandatory\]|to-keep-secret/);
    }
  });

  it("finds dates in the program's outputs in a preview, and keeps each name's level", async () => {
    const { cli, workDir } = await stackOf(
      "prod",
      expiring,
      { ops },
      "module.exports = { site: { expiresAt: alerts.expiresAt, domain: alerts.domain.domain }, later: alerts.channelIds.ops };",
    );

    const rule = (property: string, options: object) => {
      const recordedIn = [{ type: "pulumi:pulumi:Stack", property }];
      return `requireRecordedExpiry(${JSON.stringify({ recordedIn, ...options })})`;
    };

    const preview = (...policies: string[]) => {
      writeFileSync(
        path.join(workDir, "pack", "index.ts"),
        `import { PolicyPack } from "@pulumi/policy";
         import { requireRecordedExpiry } from "pulumi-domain-monitoring/policy";
         new PolicyPack("outputs", { enforcementLevel: "mandatory", policies: [${policies.join()}] });`,
      );

      return cli.run("preview", "--policy-pack", "pack");
    };

    const site = rule("site.expiresAt", { minimumDays: 30 });
    const { code, output } = await preview(
      site,
      rule("site.expiresAt", { minimumDays: 45, enforcementLevel: "advisory", name: "renew-soon" }),
      rule("later", { minimumDays: 30, name: "later" }),
    );

    expect(code).not.toBe(0);
    expect(output).toMatch(/(?<!\S)example\.org expires on [\d-]+, 1[12] days left, 30 required/);
    expect(output).toMatch(/\[mandatory\]\s+domain-monitoring-recorded-expiry /);
    expect(output).toMatch(/\[advisory\]\s+renew-soon /);
    expect(output).not.toMatch(/no date|not recorded|can't run policy/);
    expect(service.channels()).toEqual([]);
  });

  it("takes options from its config, and refuses wrong ones by the policy's name", async () => {
    const { cli, workDir } = await stackOf("dev", healthy, { ops });
    const expiry = "domain-monitoring-recorded-expiry";
    const preview = async (config: object) => {
      writeFileSync(path.join(workDir, "config.json"), JSON.stringify({ [expiry]: config }));
      return cli.run("preview", "--policy-pack", "pack", "--policy-pack-config", "config.json");
    };

    const accepted = await preview({
      minimumDays: 20_000,
      stacks: "dev",
      enforcementLevel: "advisory",
    });

    expect(accepted.code).toBe(0);
    expect(accepted.output).toMatch(/\[advisory\][\s\S]* 20000 required/);

    const wrong = await preview({ minimumDays: "many" });

    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain(
      `${expiry}: minimumDays: Invalid type. Expected: integer, given: string`,
    );

    const misspelt = await preview({ minimumDay: 30 });

    expect(misspelt.code).not.toBe(0);
    expect(misspelt.output).toContain(
      `the config of the policy ${expiry} is not valid: minimumDay is not an option of this policy: remove it`,
    );

    expect(misspelt.output).not.toMatch(/\n\s+at /);
  });
});
