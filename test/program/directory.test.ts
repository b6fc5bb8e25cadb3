/**
 * Where a program runs: the engine starts the provider process there, which has to find the
 * package.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines, messagesOf } from "../support/engines";
import { JAVASCRIPT, Projects } from "../support/project";
import { temporaryDirectory } from "../support/temporary";

describeOnEngines("the directory of a program", (create) => {
  const projects = new Projects();
  const service = useEmulator();
  const channel = `new dm.NotificationChannel("ops", { domainId: "11111111-1111-4111-8111-111111111111", label: "Ops", type: "pushover", value: null });`;

  it("may be left by the program", async () => {
    const program = `
      const dm = require("pulumi-domain-monitoring");
      process.chdir(require("node:os").tmpdir());
      ${channel}`;

    const workDir = projects.add("index.js", { "index.js": program });
    const stack = await create({ workDir, ...settingsFor(service) });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1 } });
    expect(await stack.refresh()).toMatchObject({ failed: false });
  });

  it("is refused in one line if the package is not installed there", async () => {
    const workDir = temporaryDirectory();
    const project = `name: test\nruntime: ${JAVASCRIPT}\nmain: index.js\n`;
    writeFileSync(path.join(workDir, "Pulumi.yaml"), project);
    const modules = path.join(__dirname, "../../node_modules");
    mkdirSync(path.join(workDir, "node_modules"));
    symlinkSync(path.join(modules, "@pulumi"), path.join(workDir, "node_modules/@pulumi"));
    const program = `const dm = require(${JSON.stringify(path.join(modules, "pulumi-domain-monitoring"))});\n${channel}`;
    writeFileSync(path.join(workDir, "index.js"), program);
    const stack = await create({ workDir, ...settingsFor(service) });
    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);
    expect(messagesOf(outcome, "error").join()).toMatch(
      /pulumi-domain-monitoring is not installed where the provider process looks for it \(from \S+ upwards\): add it to the dependencies of this project's own package\.json and install them/,
    );
  });
});
