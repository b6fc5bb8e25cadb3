"use strict";
// Runs the commands of examples/gitops/github against the local service with the real engine, and checks what a reviewer would
// see.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { filesHolding } = require("./files-holding.cjs");
const { engineVersion } = require("./real-engine.cjs");
const { play } = require("./rehearse/acts.cjs");
const { destinations, Rehearsal } = require("./rehearse/jobs.cjs");
const { check, say, shown } = require("./rehearse/output.cjs");

async function main() {
  const version = engineVersion();
  if (version === undefined)
    throw new Error("there is no `pulumi` command on PATH, so nothing was rehearsed: install it");
  const { startEmulator } = require("../dist/testing/index.js");
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-rehearsal-"));
  // Channels are create-only until the stack says otherwise.
  const service = await startEmulator({ lifecycle: "managed" });
  try {
    say(`Engine: \`pulumi\` ${version}; local service: ${service.url}`);
    const rehearsal = new Rehearsal(directory, service);
    await rehearsal.setUp();
    await play(rehearsal);
    const secrets = [service.token, ...Object.values(destinations)];
    const encoded = secrets.map((secret) => Buffer.from(secret).toString("base64"));
    const holding = filesHolding(directory, [...secrets, ...encoded]);
    say();
    check(
      "neither the token nor a destination was shown",
      ![...secrets, ...encoded].some((text) => shown().includes(text)),
    );
    check(
      `neither is in a file that was written${holding.map((file) => `, but ${file}`).join("")}`,
      holding.length === 0,
    );
  } finally {
    await service.close();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`rehearse: ${error.message}\n`);
  process.exitCode = 1;
});
