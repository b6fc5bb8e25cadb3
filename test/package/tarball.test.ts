import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines } from "../support/engines";
import { JAVASCRIPT } from "../support/project";
import { temporaryDirectory } from "../support/temporary";
import { installTarball } from "./support/packed";

describe("the packed package", () => {
  let directory: string;
  let service: Emulator;

  beforeAll(() => {
    directory = temporaryDirectory();
    installTarball(directory, ["@pulumi/pulumi", "typescript"]);
  });
  beforeEach(async () => {
    service = await startEmulator();
  });
  afterEach(() => service.close());

  // That every entry point can be loaded, also by CommonJS: consumers.test.ts.
  describeOnEngines("an ES module that uses it", (create) => {
    it("deploys", async () => {
      const workDir = path.join(directory, `project-${process.hrtime.bigint()}`);
      mkdirSync(workDir);
      const project = `name: tarball\nruntime: ${JAVASCRIPT}\nmain: index.mjs\n`;
      writeFileSync(path.join(workDir, "Pulumi.yaml"), project);
      writeFileSync(path.join(workDir, "package.json"), "{}");
      const domainId = "11111111-1111-4111-8111-111111111111";
      const args = JSON.stringify({ domainId, label: "Packed", type: "email", value: "packed@example.com" });
      const head = 'import { NotificationChannel } from "pulumi-domain-monitoring";';
      writeFileSync(
        path.join(workDir, "index.mjs"),
        `${head}\nnew NotificationChannel("packed", ${args});\n`,
      );
      const stack = await create({
        workDir,
        config: { "domain-monitoring:baseUrl": service.url },
        secrets: { "domain-monitoring:apiToken": service.token },
      });
      expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1 } });
      expect(service.channels()).toMatchObject([{ label: "Packed", type: "email" }]);
    });
  });
});
