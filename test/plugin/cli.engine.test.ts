/** The plugin with the `pulumi` command and without a stack. */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, SLACK_URL } from "../provider/support/channels";
import { environmentFor } from "../support/account";
import { Cli } from "../support/cli";
import { describeWithPulumi } from "../support/engines";
import { temporaryDirectory } from "../support/temporary";
import { EXECUTABLE } from "./support/plugin-process";

describeWithPulumi("the plugin, by the command", () => {
  let cli: Cli;

  it("supports `pulumi do` by DOMAIN_ID/CHANNEL_ID with the environment's settings", async () => {
    await using managed = await startEmulator({ lifecycle: "managed" });
    const channel = { label: "By hand", type: "slack", value: SLACK_URL };
    const id = `${DOMAIN}/${managed.addChannel(DOMAIN, channel)}`;

    cli = new Cli(temporaryDirectory(), environmentFor(managed));
    const does = (token: string, ...args: string[]) =>
      cli.run("do", "--package", EXECUTABLE, `domain-monitoring:index:${token}`, ...args);

    const now = ["--stateless", "--yes"];
    expect(await does("getDomain", "--domain", "example.com")).toMatchObject({ code: 0 });

    const read = await does("NotificationChannel", "read", id);
    expect(JSON.parse(read.output)).toMatchObject({ label: "By hand", lifecycle: "managed" });

    const patched = await does("NotificationChannel", "patch", id, "--label", "Renamed", ...now);
    expect(patched).toMatchObject({ code: 0 });
    expect(managed.channels()).toMatchObject([{ label: "Renamed", value: SLACK_URL }]);
    expect((await does("NotificationChannel", "read", "anything")).output).toContain("correct it");
    expect(await does("NotificationChannel", "delete", id, ...now)).toMatchObject({ code: 0 });
    expect(managed.channels()).toEqual([]);
  });
});
