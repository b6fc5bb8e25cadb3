/** What doctor says of the provider plugin. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runDoctor } from "./command";

const EXECUTABLE = "pulumi-resource-domain-monitoring";
const PYTHON = "name: test\nruntime: python\n";
const PACKAGES = `${PYTHON}packages:\n  domain-monitoring: domain-monitoring@0.1.0\n`;

describe("domain-monitoring doctor, of the plugin,", () => {
  let service: Emulator;
  let directory: string;

  beforeEach(async () => {
    directory = temporaryDirectory();
    service = await startEmulator();
    command("pulumi", 'if [ "$1" = version ]; then echo v3.248.0; else echo "{}"; fi');
    command("node", "echo v20.20.2");
    mkdirSync(path.join(directory, "project"));
  });
  afterEach(() => service.close());

  function command(name: string, script: string): void {
    const bin = path.join(directory, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }

  /** Something that is found as the plugin. */
  function plugin(place: string, version?: string): string {
    const at = path.join(directory, place);
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, EXECUTABLE), "");
    if (version) writeFileSync(path.join(at, "package.json"), JSON.stringify({ name: EXECUTABLE, version }));
    return at;
  }

  /** Its exit code, and its lines by topic but for the ones that are about something else. */
  async function run(yaml: string, searched = path.join(directory, "bin")) {
    const cwd = path.join(directory, "project");
    writeFileSync(path.join(cwd, "Pulumi.yaml"), yaml);
    const env = { ...accountOf(service), PATH: searched, PULUMI_HOME: path.join(directory, "home") };
    const { code, found } = await runDoctor([], { cwd, env });
    const topics = ["package", "Pulumi SDK", "plugin", "plugin's Node"];
    return { code, ...Object.fromEntries(Object.entries(found).filter(([topic]) => topics.includes(topic))) };
  }

  it.each([
    ["name: domain-monitoring\nruntime: nodejs\nconfig:\n  domain-monitoring:baseUrl: x\n"],
    ["name: test\nruntime: yaml\n# type: domain-monitoring:NotificationChannel\nplugins: [3]\npackages: 4\n"],
    ["name: [\ntype: domain-monitoring:NotificationChannel\n"],
  ])("says nothing where there is no sign of one: %j", async (yaml) => {
    const found = await run(yaml);
    expect(found).toEqual({
      code: 2,
      package: expect.stringMatching(/^to fix/),
      "Pulumi SDK": expect.stringMatching(/^to fix/),
    });
  });

  it("names the installed one with its version and Node, and asks a project of the plugin for no npm package", async () => {
    const at = plugin("home/plugins/resource-domain-monitoring-v0.1.0");
    plugin("home/plugins/resource-domain-monitoring-v0.0.9");
    writeFileSync(path.join(directory, "home/plugins/resource-domain-monitoring-v9.9.9.lock"), "");
    expect(await run(PACKAGES)).toEqual({
      code: 0,
      plugin: `ok: 0.1.0, installed at ${at}`,
      "plugin's Node": expect.stringMatching(/^ok: 20\.20\.2 \(needed: >=\d/),
    });
  });

  it("compares the installed versions with the one that packages names, or takes the newest", async () => {
    for (const one of ["0.10.0", "0.9.0"]) plugin(`home/plugins/resource-domain-monitoring-v${one}`);
    expect(await run(PACKAGES)).toEqual({
      code: 2,
      plugin:
        "to fix: the project uses the plugin, and 0.1.0 is not installed (installed: 0.10.0, 0.9.0): run `pulumi plugin install resource domain-monitoring 0.1.0 --file …` with its tarball or directory",
    });
    expect(await run(PACKAGES.replace("@0.1.0", ""))).toMatchObject({
      code: 0,
      plugin: expect.stringMatching(/^ok: 0\.10\.0,/),
    });
  });

  it.each([
    ["name: test\nruntime: yaml\nresources:\n  a: { type: domain-monitoring:NotificationChannel }\n"],
    ["name: test\nruntime: yaml\nresources:\n  a:\n    type: pulumi:providers:domain-monitoring\n"],
    [
      "name: test\nruntime: yaml\nvariables:\n  a: { fn::invoke: { function: domain-monitoring:getDomain } }\n",
    ],
    [`${PYTHON}packages:\n  domain-monitoring: ./plugin/${EXECUTABLE}\n`],
  ])("knows by %j that it is needed", async (yaml) => {
    expect(await run(yaml)).toEqual({
      code: 2,
      plugin: expect.stringMatching(
        /^to fix: the project uses the plugin, and it is not installed: run `pulumi plugin install resource domain-monitoring X\.Y\.Z --file …`/,
      ),
    });
  });

  it.each([
    ["plugins: {providers: [{name: domain-monitoring, path: ../built}]}"],
    [
      "plugins:\n  providers:\n    - name: other\n      path: ./x\n    - name: domain-monitoring # ours\n      path: '../built'",
    ],
  ])("looks first where %j says", async (plugins) => {
    plugin("home/plugins/resource-domain-monitoring-v0.3.0");
    const missing = await run(`${PYTHON}${plugins}\n`);
    const at = path.join(directory, "built");
    expect(missing).toEqual({
      code: 2,
      plugin: `to fix: there is no ${EXECUTABLE} at ${at}, where plugins.providers in Pulumi.yaml looks for it: correct the path, or build the plugin there`,
    });
    plugin("built", "0.2.0");
    expect(await run(`${PYTHON}${plugins}\n`)).toMatchObject({
      code: 0,
      plugin: `ok: 0.2.0, found at ${at}`,
    });
  });

  it("takes the one on PATH before an installed one, whatever its version", async () => {
    plugin("home/plugins/resource-domain-monitoring-v0.3.0");
    const at = plugin("other");
    const found = await run(PACKAGES, [path.join(directory, "bin"), at].join(path.delimiter));
    expect(found).toMatchObject({
      code: 0,
      plugin: `ok: a version that is not said there, found at ${at}, as it is on PATH`,
    });
  });

  it("says that the Node it would run with is too old, or missing", async () => {
    plugin("home/plugins/resource-domain-monitoring-v0.1.0");
    command("node", "echo v18.20.0");
    expect(await run(PACKAGES)).toMatchObject({
      code: 2,
      "plugin's Node": expect.stringMatching(
        /^to fix: 18\.20\.0, the node on PATH, is not >=\d.*: put one that is first on PATH$/,
      ),
    });
    const without = path.join(directory, "without");
    mkdirSync(without);
    symlinkSync(path.join(directory, "bin/pulumi"), path.join(without, "pulumi"));
    expect(await run(PACKAGES, without)).toMatchObject({
      code: 2,
      "plugin's Node": expect.stringMatching(
        /^to fix: there is no node on PATH that starts, and the plugin needs >=/,
      ),
    });
  });
});
