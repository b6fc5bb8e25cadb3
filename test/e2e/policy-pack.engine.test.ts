/** The example's policy pack, on programs of this package. */
import { cpSync } from "node:fs";
import path from "node:path";
import { environmentFor } from "../support/account";
import { Cli } from "../support/cli";
import { useEmulator } from "../support/emulator";
import { describeWithPulumi } from "../support/engines";
import { Projects } from "../support/project";

const pack = path.join(__dirname, "../../examples/policy-pack");
const token = "token-to-keep-secret";
const hook = "https://hooks.example.com/services/destination-to-keep-secret";
const healthy = "11111111-1111-4111-8111-111111111111";
const expiring = "22222222-2222-4222-8222-222222222222";
const ops = { label: "On-call", type: "slack", value: hook };
const desk = { label: "Desk", type: "email", value: "destination-to-keep-secret@example.com" };

const silent = {
  whoisNotificationsEnabled: false,
  dnsNotificationsEnabled: false,
  sslNotificationsEnabled: false,
};

describeWithPulumi("the policy pack of the examples", () => {
  const projects = new Projects();
  const service = useEmulator({ token });
  const packed = ["--policy-pack", "pack"];

  /** A stack with the pack beside its program. */
  async function stackOf(stack: string, program: string) {
    const workDir = projects.add("index.js", {
      "index.js": `const { DomainAlerts, getDomainOutput, NotificationChannel } = require("pulumi-domain-monitoring");\n${program}`,
    });

    cpSync(pack, path.join(workDir, "pack"), { recursive: true });
    const cli = new Cli(workDir, environmentFor(service));
    await cli.run("stack", "init", stack);
    return cli;
  }

  const alerts = (domainId: string, channels: object) =>
    `new DomainAlerts("website", ${JSON.stringify({ domainId, channels })});`;

  it("fails a preview of production with every violation, and prints no destination", async () => {
    const program = alerts(expiring, { desk: { ...desk, ...silent } });
    const stack = await stackOf("prod", program);
    const { code, output } = await stack.run("preview", ...packed);

    expect(code).not.toBe(0);
    expect(output).toContain(
      'channel "website-desk" never notifies anyone: switch WHOIS, DNS or SSL on',
    );
    expect(output).toContain('the domain of "website-desk" has no Slack channel: add one');
    expect(output).toMatch(/"website" expires on [\d-]+, 1[12] days left: renew it/);
    expect(output).not.toMatch(/can't run policy|to-keep-secret/);
    expect(service.channels()).toEqual([]);
  });

  it("passes a stack that keeps to it, and judges the state without the program", async () => {
    const stack = await stackOf("prod", alerts(healthy, { ops, desk }));
    const up = await stack.change("up", ...packed);
    const analyzed = await stack.run("policy", "analyze", ...packed, "--stack", "prod");

    for (const { code, output } of [up, analyzed]) {
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(output).not.toMatch(/\[mandatory\]|to-keep-secret/);
    }

    expect(service.channels()).toHaveLength(2);
  });

  it("requires no Slack channel outside production", async () => {
    const stack = await stackOf("dev", alerts(healthy, { desk }));
    expect(await stack.run("preview", ...packed)).toMatchObject({ code: 0 });
  });

  it("reads a date from the program's outputs, and none that a preview does not know", async () => {
    const program = `
      const args = ${JSON.stringify({ ...ops, domainId: healthy })};
      const first = new NotificationChannel("first", args);
      new NotificationChannel("second", { ...args, ...${JSON.stringify(desk)}, domainId: first.channelId });
      module.exports = { expiresAt: EXPIRES_AT };`;
    const known = `getDomainOutput({ id: "${expiring}" }).expiresAt`;
    const late = await stackOf("dev", program.replace("EXPIRES_AT", known));
    const violating = await late.run("preview", ...packed);

    expect(violating.code).not.toBe(0);
    expect(violating.output).toMatch(/"test-dev" expires on [\d-]+, 1[12] days left: renew it/);

    const later = await stackOf("prod", program.replace("EXPIRES_AT", "first.createdAt"));
    const unknown = await later.run("preview", ...packed);

    expect(unknown.code).toBe(0);
    expect(unknown.output).not.toMatch(/can't run policy|\[mandatory\]/);
  });
});
