/** The plugin with the `pulumi` command: without a stack, and with state written by 0.1.0. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, SLACK_URL } from "../provider/support/channels";
import { Cli } from "../support/cli";
import { describeWithPulumi } from "../support/engines";
import { JAVASCRIPT } from "../support/project";
import { temporaryDirectory } from "../support/temporary";
import { EXECUTABLE, PLUGIN_DIRECTORY } from "./support/plugin-process";

const ROOT = path.join(__dirname, "../..");

/**
 * A stand-in for this package that a program can require: the same class name, with the plugin's
 * type and alias.
 */
const PLUGIN_CLASS = `const pulumi = require("@pulumi/pulumi");
exports.NotificationChannel = class extends pulumi.CustomResource {
  constructor(name, args, opts) {
    const aliases = [{ type: "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel" }];
    super("domain-monitoring:index:NotificationChannel", name, args, { ...opts, aliases });
  }
};
`;

describeWithPulumi("the plugin, by the command", () => {
  const open: Cli[] = [];
  afterEach(() => {
    for (const cli of open.splice(0)) cli.close();
  });

  /** A project whose `pulumi-domain-monitoring` is the class above. */
  function start(program: string, baseUrl: string): Cli {
    const workDir = temporaryDirectory();
    const modules = path.join(workDir, "node_modules");
    mkdirSync(path.join(modules, "pulumi-domain-monitoring"), { recursive: true });
    writeFileSync(path.join(modules, "pulumi-domain-monitoring/index.js"), PLUGIN_CLASS);
    symlinkSync(path.join(ROOT, "node_modules/@pulumi"), path.join(modules, "@pulumi"));
    const plugins = JSON.stringify({
      providers: [{ name: "domain-monitoring", path: PLUGIN_DIRECTORY }],
    });

    writeFileSync(
      path.join(workDir, "Pulumi.yaml"),
      `name: upgrades\nruntime: ${JAVASCRIPT}\nmain: index.js\nplugins: ${plugins}\n`,
    );

    writeFileSync(path.join(workDir, "index.js"), program);
    const account = { DOMAIN_MONITORING_BASE_URL: baseUrl, DOMAIN_MONITORING_API_TOKEN: "token" };
    const cli = new Cli(workDir, account);
    open.push(cli);

    return cli;
  }

  it("supports `pulumi do` by DOMAIN_ID/CHANNEL_ID with the environment's settings", async () => {
    await using managed = await startEmulator({ token: "token", lifecycle: "managed" });
    const channel = { label: "By hand", type: "slack", value: SLACK_URL };
    const id = `${DOMAIN}/${managed.addChannel(DOMAIN, channel)}`;

    const cli = start("", managed.url);
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

  it("takes over the state of 0.1.0 without a difference, and needs no service for it", async () => {
    const program = readFileSync(path.join(ROOT, "test/upgrades/program/index.js"), "utf8");
    const cli = start(program, "http://127.0.0.1:1");
    const run = async (...args: string[]) => {
      const finished = await cli.run(...args);
      expect(finished).toMatchObject({ code: 0 });
      return finished.output;
    };

    await run("stack", "init", "test");
    await run("stack", "import", "--file", path.join(ROOT, "test/upgrades/state-0.1.0.json"));
    await run("preview", "--expect-no-changes");

    expect(await run("up", "--yes", "--skip-preview")).toMatch(/Resources:\s+\d unchanged\n/);

    for (const operation of ["refresh", "up"])
      await run(operation, "--yes", "--skip-preview", "--expect-no-changes");

    expect(await run("stack", "export")).not.toContain('"type": "pulumi-nodejs:dynamic');
    expect(await run("destroy", "--yes", "--skip-preview")).toContain(
      "The service documents no way to delete a channel",
    );
  });
});
