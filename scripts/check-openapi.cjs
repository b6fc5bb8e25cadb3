"use strict";
/*
 * Tests the emulator against its OpenAPI description with schemathesis, with valid and invalid requests and with all checks and phases.
 * Exits with 1 if it finds a problem, warnings included, and with 2 if it could not run.
 *
 *   pip install schemathesis==4.32.5
 *   npm run release -- openapi
 */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { run } = require("./run.cjs");

const PHASES = "examples,coverage,fuzzing,stateful";

/** The emulator with its defaults, and with each option that changes the description. */
const configurations = [
  ["the default options", {}],
  [
    "other options",
    {
      createStatus: 202,
      listOrder: "oldest-first",
    },
  ],
  [
    "the managed lifecycle",
    {
      lifecycle: "managed",
      domains: [{ channels: [{}, {}, { isProtected: true }] }, { channels: [{}, {}] }],
    },
  ],
  [
    "the managed lifecycle with other choices",
    {
      lifecycle: "managed",
      managed: { getResponse: "wrapped", updateResponse: "bare", deleteStatus: 200, acceptsNull: false },
      domains: [{ channels: [{}, {}, { isProtected: true }] }],
    },
  ],
  // A limit at which some requests are rejected and others succeed; the window is longer than the check.
  ["a rate limit", { rateLimit: { requests: 900, perSeconds: 3600 }, now: "2026-01-31T08:00:00Z" }],
];

/** An empty dictionary is not allowed. */
function channelDictionary(emulator) {
  const ids = emulator.channels().map(({ id }) => JSON.stringify(id));
  return ids.length === 0 ? "" : `[dictionaries.channels]\nvalues = [${ids}]\n`;
}

/** Existing ids, as almost every response would be 404 otherwise; numbers as well, which change lists accept. */
const configurationFile = (emulator) => `
[dictionaries.domains]
values = [${emulator.domains().map(({ id }) => JSON.stringify(id))}]

[dictionaries.names]
values = [${emulator.domains().flatMap(({ id, number }) => [JSON.stringify(id), number])}]

[parameters]
"path.id" = { dictionary = "domains", probability = 0.8 }
"path.domain_id" = { dictionary = "names", probability = 0.8 }
${emulator.channels().length > 0 ? '"path.channel_id" = { dictionary = "channels", probability = 0.8 }' : ""}

${channelDictionary(emulator)}
[headers]
Authorization = "Bearer ${emulator.token}"

[warnings]
fail-on = true

[cache]
enabled = false
`;

async function check(name, options, seed, directory) {
  const { startEmulator } = require("../dist/testing/index.js");
  const emulator = await startEmulator(options);
  try {
    const file = path.join(directory, "schemathesis.toml");
    // The token is in a file, as arguments are visible in the list of processes.
    fs.writeFileSync(file, configurationFile(emulator), { mode: 0o600 });
    const where = ["--config-file", file, "run", `${emulator.url}/openapi.json`];
    const what = ["--checks", "all", "--phases", PHASES, "--seed", String(seed)];
    // In its own directory, as findings of an earlier run would influence the requests.
    const { code, output } = await run("schemathesis", [...where, ...what], { cwd: directory });
    const statuses = {};
    for (const { status } of emulator.requests) statuses[status] = (statuses[status] ?? 0) + 1;
    const counts = /^ *(\d+ generated, .*)$/m.exec(output)?.[1] ?? "no counts";
    const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    process.stdout.write(`${name}: ${counts}; answers: ${answers.join(", ")}\n`);
    if (code !== 0) process.stdout.write(output);
    // A run with only 404 and 401 responses has checked nothing.
    const created = statuses[options.createStatus ?? 201] ?? 0;
    if (created === 0) process.stdout.write(`${name}: no channel was created, so the check is void\n`);
    return code === 0 && created > 0;
  } finally {
    await emulator.close();
  }
}

async function main() {
  const [given = "1"] = process.argv.slice(2);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "check-openapi-"));
  try {
    let fine = true;
    for (const [name, options] of configurations)
      fine = (await check(name, options, Number(given), directory)) && fine;
    process.exitCode = fine ? 0 : 1;
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error) => {
  const missing = error.code === "ENOENT" && error.path === "schemathesis";
  const fix = "there is no `schemathesis` on PATH: pip install schemathesis==4.32.5";
  process.stderr.write(`check-openapi: ${missing ? fix : error.message}\n`);
  process.exitCode = 2;
});
