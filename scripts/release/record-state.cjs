"use strict";
// Records the state that this version writes, for the upgrade tests of later versions
// (docs/contributing/development.md). Run once for each release, with the `pulumi` command on PATH:
// npm run release -- record-state
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const { startEmulator } = require("domain-monitoring-emulator");
const { openStack } = require("../real-engine.cjs");
const { version } = require("../../package.json");

const upgrades = path.join(__dirname, "../..", "test", "upgrades");
const fixture = path.join(upgrades, `state-${version}.json`);

async function main() {
  if (fs.existsSync(fixture))
    throw new Error(`the state of ${version} is kept already: a release's state never changes`);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "record-state-"));
  const service = await startEmulator();

  try {
    const pulumi = await openStack({
      project: path.join(upgrades, "program"),
      directory,
      stack: "test",
      env: {
        ...process.env,
        DOMAIN_MONITORING_BASE_URL: service.url,
        DOMAIN_MONITORING_API_TOKEN: service.token,
      },
    });
    await pulumi(["up", "--yes", "--skip-preview"]);
    // The destinations in it are examples, so the state is kept in plain text: later tests must
    // read it without a passphrase.
    const { stdout } = await pulumi(["stack", "export", "--show-secrets"]);
    fs.writeFileSync(fixture, withLines(JSON.parse(stdout)));
    process.stdout.write(`${path.relative(process.cwd(), fixture)}\n`);
  } finally {
    await service.close();
    fs.rmSync(directory, { recursive: true, force: true });
    fs.rmSync(path.join(upgrades, "program", "Pulumi.test.yaml"), { force: true });
  }
}

/** A state with one line for each resource. */
function withLines({ deployment, ...rest }) {
  const resources = deployment.resources.map((resource) => JSON.stringify(resource));
  const list = `[\n${resources.join(",\n")}\n]`;
  const state = JSON.stringify({ ...rest, deployment: { ...deployment, resources: [] } });

  return `${state.replace('"resources":[]', () => `"resources":${list}`)}\n`;
}

main().catch((error) => {
  process.stderr.write(`record-state: ${error.message}\n`);
  process.exitCode = 1;
});
