import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines } from "../support/engines";
import { JAVASCRIPT } from "../support/project";
import { installTarball } from "./support/packed";

describe("the packed package", () => {
  let directory: string;
  let service: Emulator;

  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), "tarball-"));
    installTarball(directory, ["@pulumi/pulumi", "typescript"]);
  });
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    service = await startEmulator();
  });
  afterEach(async () => {
    await service.close();
  });

  const NAMES = {
    "pulumi-domain-monitoring": ["NotificationChannel", "Provider", "getDomain", "getDnsChangesOutput"],
    "pulumi-domain-monitoring/client": ["DomainMonitoringClient", "DomainMonitoringError", "toInstant"],
    "pulumi-domain-monitoring/provider": ["channel"],
    "pulumi-domain-monitoring/testing": ["startEmulator", "TestStack"],
  };

  it.each([
    ["ES modules", "module", (list: string, entry: string) => `import { ${list} } from "${entry}"`],
    ["CommonJS", "commonjs", (list: string, entry: string) => `const { ${list} } = require("${entry}")`],
  ])("provides every entry point by name to %s", (_title, type, load) => {
    const statements = Object.entries(NAMES).map(([entry, names]) => {
      const list = names.join(", ");
      return `${load(list, entry)}; check([${list}]);`;
    });
    const args = [`--input-type=${type}`, "-e"];
    const script = `function check(found) { console.log(found.every(Boolean)); }\n${statements.join("\n")}`;
    const said = execFileSync(process.execPath, [...args, script], { cwd: directory, encoding: "utf8" });
    expect(said.trim().split("\n")).toEqual(["true", "true", "true", "true"]);
  });

  describeOnEngines("a program that uses it", (create) => {
    it.each([
      [
        "a CommonJS program",
        "index.js",
        'const { NotificationChannel } = require("pulumi-domain-monitoring");',
      ],
      ["an ES module", "index.mjs", 'import { NotificationChannel } from "pulumi-domain-monitoring";'],
    ])("deploys from %s", async (_kind, main, head) => {
      const workDir = path.join(
        directory,
        `project-${path.extname(main).slice(1)}-${process.hrtime.bigint()}`,
      );
      mkdirSync(workDir);
      writeFileSync(
        path.join(workDir, "Pulumi.yaml"),
        `name: tarball\nruntime: ${JAVASCRIPT}\nmain: ${main}\n`,
      );
      writeFileSync(path.join(workDir, "package.json"), "{}");
      const domainId = "11111111-1111-4111-8111-111111111111";
      const args = JSON.stringify({ domainId, label: "Packed", type: "email", value: "packed@example.com" });
      writeFileSync(path.join(workDir, main), `${head}\nnew NotificationChannel("packed", ${args});\n`);
      const stack = await create({
        workDir,
        config: { "domain-monitoring:baseUrl": service.url },
        secrets: { "domain-monitoring:apiToken": service.token },
      });
      expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1 } });
      expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 1 } });
      expect(service.channels()).toMatchObject([{ label: "Packed", type: "email" }]);
    });
  });
});
