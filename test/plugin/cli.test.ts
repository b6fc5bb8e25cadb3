/** The plugin in the hands of the `pulumi` command: installed from its tarball, importing, taking over what 0.1.0 recorded. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { DOMAIN, SLACK_URL } from "../provider/support/channels";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { JAVASCRIPT } from "../support/project";
import { temporaryDirectory } from "../support/temporary";
import { EXECUTABLE, PLUGIN_DIRECTORY, RELEASE_DIRECTORY } from "./support/plugin-process";

const { version }: { version: string } = require("../../package.json");
const ROOT = path.join(__dirname, "../..");
const TARBALL = path.join(
  RELEASE_DIRECTORY,
  `pulumi-resource-domain-monitoring-v${version}-linux-amd64.tar.gz`,
);

/** What a program requires in place of this package: the same class name, with the plugin's type and alias. */
const PLUGIN_CLASS = `const pulumi = require("@pulumi/pulumi");
exports.NotificationChannel = class extends pulumi.CustomResource {
  constructor(name, args, opts) {
    const aliases = [{ type: "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel" }];
    super("domain-monitoring:index:NotificationChannel", name, args, { ...opts, aliases });
  }
};
`;

let directory: string;
let emulator: Emulator;
const open: Cli[] = [];

/** A project whose `pulumi-domain-monitoring` is the class above. */
function project(name: string, program: string, yaml = ""): string {
  const workDir = path.join(directory, name);
  mkdirSync(path.join(workDir, "node_modules/pulumi-domain-monitoring"), { recursive: true });
  writeFileSync(path.join(workDir, "node_modules/pulumi-domain-monitoring/index.js"), PLUGIN_CLASS);
  symlinkSync(path.join(ROOT, "node_modules/@pulumi"), path.join(workDir, "node_modules/@pulumi"));
  writeFileSync(
    path.join(workDir, "Pulumi.yaml"),
    `name: ${name}\nruntime: ${JAVASCRIPT}\nmain: index.js\n${yaml}`,
  );
  writeFileSync(path.join(workDir, "index.js"), program);
  return workDir;
}

function start(workDir: string, baseUrl: string): Cli {
  const cli = new Cli(workDir, { DOMAIN_MONITORING_BASE_URL: baseUrl, DOMAIN_MONITORING_API_TOKEN: "token" });
  open.push(cli);
  return cli;
}

beforeAll(async () => {
  emulator = await startEmulator({ token: "token" });
});

beforeEach(() => {
  directory = temporaryDirectory();
  emulator.reset();
});

afterEach(() => {
  for (const cli of open.splice(0)) cli.close();
});

afterAll(() => emulator.close());

const onRealEngine = realEngineAvailable ? describe : describe.skip;

onRealEngine("the plugin, by the command", () => {
  it("is installed from its tarball, imports a channel by id and takes over what the program declares, without a request", async () => {
    const declaration = JSON.stringify({
      domainId: DOMAIN,
      label: "Was there",
      type: "slack",
      value: SLACK_URL,
    });
    const program = `const { NotificationChannel } = require("pulumi-domain-monitoring");
      new NotificationChannel("ops", ${declaration});`;
    const cli = start(project("imported", program), emulator.url);
    const install = ["plugin", "install", "resource", "domain-monitoring", version, "--file", TARBALL];
    expect(await cli.run(...install)).toMatchObject({ code: 0 });
    await cli.run("stack", "init", "test");
    const type = "domain-monitoring:index:NotificationChannel";
    const imported = await cli.run(
      "import",
      type,
      "ops",
      "44444444-4444-4444-8444-444444444444",
      "--yes",
      "--skip-preview",
      "--protect=false",
    );
    expect(imported).toMatchObject({ code: 0 });
    // Code with nothing in it, beside which that of other channels is written, too.
    expect(imported.output).toContain('label: ""');
    expect(imported.output).toContain("declare it in the program as it is in the service");
    expect(imported.output).not.toContain("bug");
    const taken = await cli.run("up", "--yes", "--skip-preview");
    expect(taken.output).toMatch(/~ 1 updated/);
    expect(await cli.run("up", "--yes", "--skip-preview", "--expect-no-changes")).toMatchObject({ code: 0 });
    expect(emulator.requests).toEqual([]);
    const exported = await cli.run("stack", "export");
    for (const told of [imported, taken, exported]) expect(told.output).not.toContain("slack-secret");
  });

  it("imports a managed channel by its domain's id and its own, and leaves its destination alone until one is declared", async () => {
    await using managed = await startEmulator({ token: "token", lifecycle: "managed" });
    const id = managed.addChannel(DOMAIN, { label: "By hand", type: "slack", value: SLACK_URL });
    const yaml = `plugins: {providers: [{name: domain-monitoring, path: ${JSON.stringify(PLUGIN_DIRECTORY)}}]}\n`;
    const workDir = project("managed", "", yaml);
    const cli = start(workDir, managed.url);
    await cli.run("stack", "init", "test");
    const type = "domain-monitoring:index:NotificationChannel";
    const quick = ["--yes", "--skip-preview"];
    const imported = await cli.run("import", type, "ops", `${DOMAIN}/${id}`, ...quick, "--protect=false");
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.output).toContain(`id ${id}) is read without its destination`);
    expect(imported.output).not.toContain("bug");
    expect(imported.output).toContain("lifecycle: domain_monitoring.Lifecycle.Managed");
    // What the command has printed, as a program.
    const declaration = { domainId: DOMAIN, label: "By hand", type: "slack", lifecycle: "managed" };
    const program = (declared: object) =>
      `const { NotificationChannel } = require("pulumi-domain-monitoring");
      new NotificationChannel("ops", ${JSON.stringify(declared)});`;
    writeFileSync(path.join(workDir, "index.js"), program(declaration));
    expect(await cli.run("up", ...quick, "--expect-no-changes")).toMatchObject({ code: 0 });
    writeFileSync(
      path.join(workDir, "index.js"),
      program({ ...declaration, label: "Ops", value: SLACK_URL }),
    );
    expect((await cli.run("up", ...quick)).output).toMatch(/~ 1 updated/);
    expect(managed.channels()).toMatchObject([{ id, label: "Ops", value: SLACK_URL }]);
    expect((await cli.run("stack", "export")).output).not.toContain("slack-secret");
    expect(await cli.run("destroy", ...quick)).toMatchObject({ code: 0 });
    expect(managed.channels()).toEqual([]);
  });

  it("does without a stack what `pulumi do` asks for, by DOMAIN_ID/CHANNEL_ID and with the settings of the environment", async () => {
    await using managed = await startEmulator({ token: "token", lifecycle: "managed" });
    const id = `${DOMAIN}/${managed.addChannel(DOMAIN, { label: "By hand", type: "slack", value: SLACK_URL })}`;
    const cli = start(project("do", ""), managed.url);
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
    const yaml = `plugins: {providers: [{name: domain-monitoring, path: ${JSON.stringify(PLUGIN_DIRECTORY)}}]}\n`;
    const cli = start(project("upgrades", program, yaml), "http://127.0.0.1:1");
    await cli.run("stack", "init", "test");
    const state = path.join(directory, "state.json");
    copyFileSync(path.join(ROOT, "test/upgrades/state-0.1.0.json"), state);
    expect(await cli.run("stack", "import", "--file", state)).toMatchObject({ code: 0 });
    expect(await cli.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
    const moved = await cli.run("up", "--yes", "--skip-preview");
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.output).toMatch(/Resources:\s+\d unchanged\n/);
    expect(await cli.run("refresh", "--yes", "--skip-preview", "--expect-no-changes")).toMatchObject({
      code: 0,
    });
    expect(await cli.run("up", "--yes", "--skip-preview", "--expect-no-changes")).toMatchObject({ code: 0 });
    const { output } = await cli.run("stack", "export");
    expect(output).not.toContain('"type": "pulumi-nodejs:dynamic');
    expect((await cli.run("destroy", "--yes", "--skip-preview")).output).toContain('onOrphan is "error"');
  });
});
