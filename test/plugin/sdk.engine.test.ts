/**
 * The generated SDK in a Node program, and the command's output for its channels, on the real
 * engine.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, SLACK_URL, TOKEN } from "../provider/support/channels";
import { AT_ONCE } from "../support/cli";
import { describeWithPulumi } from "../support/engines";
import { SdkProject } from "./support/sdk";

const KEY = "domain-monitoring:apiToken";
const ROTATED = "https://hooks.slack.com/services/rotated-slack-secret";

describeWithPulumi("the generated SDK", () => {
  let service: Emulator;
  let project: SdkProject;

  beforeAll(async () => {
    service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
    project = new SdkProject({});
    await project.prepare();
    await project.run("config", "set", "domain-monitoring:baseUrl", service.url);
    await project.run("config", "set", "domain-monitoring:lifecycle", "managed");
  });

  afterAll(() => service.close());

  function declare(declared: object): void {
    const args = JSON.stringify({ domainId: DOMAIN, type: "slack", ...declared });
    project.program(`const { NotificationChannel } = require("pulumi-domain-monitoring-sdk");
      new NotificationChannel("ops", ${args});`);
  }

  it("is refused a token in plain text, and runs after the command that the error names", async () => {
    declare({ label: "Ops on-call", value: SLACK_URL });
    await project.run("config", "set", "--plaintext", KEY, TOKEN);
    for (const operation of [["preview"], ["up", ...AT_ONCE]]) {
      const refused = await project.cli.run(...operation);
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain(`run \`pulumi config set --secret ${KEY}\``);
      expect(refused.output).not.toContain(TOKEN);
    }

    await project.run("config", "set", "--secret", KEY, TOKEN);
    await project.run("destroy", ...AT_ONCE);
    await project.run("up", ...AT_ONCE);
    await project.run("up", ...AT_ONCE, "--expect-no-changes");
    await project.run("refresh", ...AT_ONCE, "--expect-no-changes");
    // The engine's history repeats the configuration of the refused update.
    const history = `"${KEY}":"${TOKEN}"`;
    const written = project.cli.written();
    expect(written.split(history)).toHaveLength(2);
    expect(written.replace(history, "")).not.toContain(TOKEN);
    expect(service.channels()).toHaveLength(1);
  });

  it("shows in a preview what changes of a channel, and no destination", async () => {
    declare({ label: "Renamed", value: ROTATED, dnsNotificationsEnabled: false });
    const shown = await project.run("preview", "--diff");
    expect(shown).toMatch(/~ label +: "Ops on-call" => "Renamed"/);
    expect(shown).toMatch(/~ value +: \[secret\] => \[secret\]/);
    expect(shown).toMatch(/~ dnsNotificationsEnabled *: true => false/);

    const compact = await project.run("preview");
    expect(compact).toContain("[diff: ~dnsNotificationsEnabled,label,value]");

    const json = await project.run("preview", "--json");
    for (const printed of [shown, compact, json])
      for (const url of [SLACK_URL, ROTATED]) expect(printed).not.toContain(url);
  });

  it("gives every output of a channel that a program only refers to", async () => {
    const id = service.addChannel(DOMAIN, { label: "By hand", type: "slack", value: SLACK_URL });
    const wanted = ["channelId", "label", "type", "lifecycle", "typeHuman", "createdAt"];
    project.program(`const { NotificationChannel } = require("pulumi-domain-monitoring-sdk");
      const read = NotificationChannel.get("theirs", "${DOMAIN}/${id}");
      const recorded = NotificationChannel.get("recorded", "${id}", { domainId: "${DOMAIN}", label: "By hand" });
      module.exports = { channelId: recorded.channelId, read: { ${wanted.map((name) => `${name}: read.${name}`).join(", ")} } };`);

    const printed = await project.run("up", ...AT_ONCE);
    expect(printed).not.toContain("warning");

    const outputs = JSON.parse(await project.run("stack", "output", "--json"));
    expect(outputs).toEqual({
      channelId: id,
      read: {
        channelId: id,
        label: "By hand",
        type: "slack",
        lifecycle: "managed",
        typeHuman: "Slack",
        createdAt: expect.stringMatching(/^\d{4}-/),
      },
    });
    expect(service.channels()).toMatchObject([{ id }]);
  });
});
