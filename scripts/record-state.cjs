"use strict";
// Records the state that this version writes, for the upgrade tests of later versions (docs/upgrading.md).
// Run once for each release, with the `pulumi` command on PATH: node scripts/record-state.cjs
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const { startEmulator } = require("../dist/testing/index.js");
const { engineEnvironment } = require("./real-engine.cjs");
const { version } = require("../package.json");

const upgrades = path.join(__dirname, "..", "test", "upgrades");
const fixture = path.join(upgrades, `state-${version}.json`);

async function main() {
  if (fs.existsSync(fixture))
    throw new Error(`the state of ${version} is kept already: a release's state never changes`);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "record-state-"));
  const service = await startEmulator();

  const env = {
    ...process.env,
    ...engineEnvironment(directory),
    DOMAIN_MONITORING_BASE_URL: service.url,
    DOMAIN_MONITORING_API_TOKEN: service.token,
  };
  const pulumi = (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn("pulumi", args, {
        cwd: path.join(upgrades, "program"),
        env,
      });
      let output = "";
      child.stdout.on("data", (text) => {
        output += text;
      });
      child.stderr.pipe(process.stderr);
      child.on("error", reject);
      child.on("close", (code) =>
        code === 0 ? resolve(output) : reject(new Error(`pulumi ${args[0]}: exit code ${code}`)),
      );
    });
  try {
    await pulumi("stack", "init", "test");
    await pulumi("up", "--yes", "--skip-preview");
    // The destinations in it are examples, so the state is kept in plain text: later tests must read it without a passphrase.
    fs.writeFileSync(fixture, await pulumi("stack", "export", "--show-secrets"));
    process.stdout.write(`${path.relative(process.cwd(), fixture)}\n`);
  } finally {
    await service.close();
    fs.rmSync(directory, { recursive: true, force: true });
    fs.rmSync(path.join(upgrades, "program", "Pulumi.test.yaml"), { force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`record-state: ${error.message}\n`);
  process.exitCode = 1;
});
