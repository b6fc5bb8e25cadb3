/** What doctor says of the provider plugin. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runDoctor } from "./command";
import { fakePulumi } from "./fake-pulumi";

const EXECUTABLE = "pulumi-resource-domain-monitoring";
const PYTHON = "name: test\nruntime: python\n";
const PACKAGES = `${PYTHON}packages:\n  domain-monitoring: domain-monitoring@0.1.0\n`;

describe("pulumi-domain-monitoring doctor, of the plugin,", () => {
  let service: Emulator;
  let directory: string;

  beforeEach(async () => {
    directory = temporaryDirectory();
    service = await startEmulator();
    mkdirSync(path.join(directory, "project"));
  });
  afterEach(() => service.close());

  /** Something that is found as the plugin. */
  function plugin(place: string): string {
    const at = path.join(directory, place);
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, EXECUTABLE), "");
    return at;
  }

  async function run(yaml: string, ...searched: string[]) {
    const cwd = path.join(directory, "project");
    writeFileSync(path.join(cwd, "Pulumi.yaml"), yaml);
    const PATH = [fakePulumi(directory), ...searched].join(path.delimiter);
    const env = { ...accountOf(service), PATH, PULUMI_HOME: path.join(directory, "home") };
    const { code, found } = await runDoctor([], { cwd, env });
    return { code, plugin: found.plugin };
  }

  it.each([
    ["name: domain-monitoring\nruntime: nodejs\nconfig:\n  domain-monitoring:baseUrl: x\n"],
    ["name: test\nruntime: yaml\n# type: domain-monitoring:NotificationChannel\nplugins: [3]\npackages: 4\n"],
    ["name: [\ntype: domain-monitoring:NotificationChannel\n"],
  ])("says nothing where there is no sign of one: %j", async (yaml) => {
    expect(await run(yaml)).toEqual({ code: 0, plugin: undefined });
  });

  it("names the installed one, and takes neither a lock nor an empty directory for one", async () => {
    plugin("home/plugins/resource-domain-monitoring-v0.1.0");
    mkdirSync(path.join(directory, "home/plugins/resource-domain-monitoring-v9.9.8"));
    writeFileSync(path.join(directory, "home/plugins/resource-domain-monitoring-v9.9.9.lock"), "");
    const expected = { code: 0, plugin: "ok: installed: 0.1.0" };
    expect(await run(PACKAGES)).toEqual(expected);
    expect(await run(PYTHON)).toEqual(expected);
  });

  it("asks for the version that packages names, if it names one", async () => {
    for (const one of ["0.10.0", "0.9.0"]) plugin(`home/plugins/resource-domain-monitoring-v${one}`);
    expect(await run(PACKAGES)).toEqual({
      code: 2,
      plugin:
        "to fix: the project uses the plugin, and 0.1.0 is not installed (installed: 0.10.0, 0.9.0): run `pulumi plugin install resource domain-monitoring 0.1.0 --file …` with its tarball or directory",
    });
    expect(await run(PACKAGES.replace("@0.1.0", ""))).toEqual({
      code: 0,
      plugin: "ok: installed: 0.10.0, 0.9.0",
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
    plugin("built");
    expect(await run(`${PYTHON}${plugins}\n`)).toEqual({ code: 0, plugin: `ok: found at ${at}` });
  });

  it("takes the one on PATH before an installed one, whatever its version", async () => {
    plugin("home/plugins/resource-domain-monitoring-v0.3.0");
    const at = plugin("other");
    expect(await run(PACKAGES, at)).toEqual({ code: 0, plugin: `ok: found at ${at}, as it is on PATH` });
  });
});
