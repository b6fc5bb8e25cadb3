"use strict";
// Follows the README's smallest program exactly, with the packed tarball in an empty directory, and writes the transcript
// to docs/first-run.md. `npm run first-run`, with the `pulumi` command on PATH and a registry.
// Without that command it runs only the steps that do not need it, says so, and does not change the page.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { startEmulator } = require("../dist/testing/index.js");
const { filesHolding } = require("./files-holding.cjs");
const { readerEnvironment, section, stepsOf, walk } = require("./first-run/walk.cjs");
const { engineVersion } = require("./real-engine.cjs");

const root = path.join(__dirname, "..");
const PAGE = "docs/first-run.md";
const BEGIN = "<!-- transcript: begin -->";
const END = "<!-- transcript: end -->";
const secrets = { slackUrl: "https://hooks.slack.com/services/T000/B000/first-run-destination" };

/** The README's commands in order, and the `doctor` command that it recommends, before and after the program is complete. */
function readmeSteps() {
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  const steps = stepsOf(section(readme, "The smallest program"));
  const install = steps.findIndex(({ command }) => command?.startsWith("npm install"));
  const up = steps.findIndex(({ command }) => command === "pulumi up");
  const doctor = { command: "npx domain-monitoring doctor" };
  return [
    ...steps.slice(0, install + 1),
    // Before anything is configured, it lists what to do.
    { ...doctor, mayFail: true },
    ...steps.slice(install + 1, up + 1),
    doctor,
    ...steps.slice(up + 1),
  ];
}

/** Replaces what differs between runs and machines with placeholders. */
function normalise(text, { directory, service }) {
  return (
    text
      .replaceAll(directory, "…")
      .replaceAll(service.url, "http://127.0.0.1:PORT")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
        /^(.)\1{7}-/.test(id) ? id : "CHANNEL-ID",
      )
      .replace(/"\d{4}-\d{2}-\d{2}"/g, '"EXPIRY-DATE"')
      .replace(/\(\d+(\.\d+)?s\)/g, "(… s)")
      .replace(/^Duration: .*$/gm, "Duration: …")
      .replace(/^(\S+ packages|added \d+ packages).*$/gm, "added … packages")
      .replace(/^(@ (?:previewing update|updating|previewing destroy|destroying))\.+$/gm, "$1...")
      // npm's messages about the machine and the SDK's dependencies, which differ between npm versions.
      .replace(/^npm (warn|notice).*\n/gm, "")
      .replace(/[ \t]+$/gm, "")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  );
}

/** The generated part of the page. */
function transcriptOf(steps, world, versions) {
  const parts = [`Last run: ${versions}.`];
  for (const { file, code, command, output } of steps) {
    if (file) parts.push(`\`${file}\`, as in the README:`, ["```text", code.trimEnd(), "```"].join("\n"));
    else {
      const said = normalise(output, world);
      const ended = code === 0 ? [] : [`(exit code ${code})`];
      parts.push(["```text", `$ ${command}`, ...(said === "" ? [] : [said]), ...ended, "```"].join("\n"));
    }
  }
  return parts.join("\n\n");
}

/** The page with the transcript between its markers; the rest is written by hand. */
function renewed(page, transcript) {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the transcript`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${transcript}\n\n${page.slice(end)}`;
}

function pack(directory) {
  const done = spawnSync("npm", ["pack", "--silent", "--pack-destination", directory], {
    cwd: root,
    encoding: "utf8",
  });
  const tarball = fs.readdirSync(directory).find((name) => name.endsWith(".tgz"));
  if (done.status !== 0 || !tarball) throw new Error(`npm pack failed:\n${done.stderr}`);
  return path.join(directory, tarball);
}

async function main() {
  const engine = engineVersion();
  const hasEngine = engine !== undefined;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "first-run-"));
  const service = await startEmulator({ lifecycle: "managed" });
  try {
    const project = path.join(directory, "project");
    fs.mkdirSync(project);
    const steps = readmeSteps();
    const possible = hasEngine ? steps : steps.filter(({ command }) => !command?.startsWith("pulumi"));
    const world = { directory: project, service, secrets, tarball: pack(directory) };
    const transcript = await walk(possible, {
      ...world,
      env: readerEnvironment(path.join(directory, "engine")),
    });
    const shown = transcript.map(({ output = "" }) => output).join("\n");
    for (const secret of [service.token, ...Object.values(secrets)]) {
      const holding = filesHolding(path.join(directory, "engine"), [secret]);
      if (shown.includes(secret) || holding.length > 0)
        throw new Error(`a secret was found in clear in ${holding.join(", ") || "what was shown"}`);
    }
    if (!hasEngine) {
      process.stdout.write(
        `There is no \`pulumi\` command on PATH: installation and doctor were walked, ${PAGE} is left alone.\n`,
      );
      return;
    }
    if (service.channels().length !== 1)
      throw new Error(`the service has ${service.channels().length} channels, not 1`);
    const npm = spawnSync("npm", ["--version"], { encoding: "utf8" }).stdout.trim();
    const versions = `pulumi ${engine}, Node ${process.versions.node}, npm ${npm}`;
    const page = fs.readFileSync(path.join(root, PAGE), "utf8");
    fs.writeFileSync(path.join(root, PAGE), renewed(page, transcriptOf(transcript, world, versions)));
    process.stdout.write(`${transcript.length} steps, all as the README says. ${PAGE} is renewed.\n`);
  } finally {
    await service.close();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

module.exports = { readmeSteps };

if (require.main === module) {
  main().catch((error) => {
    process.stderr.write(`first-run: ${error.message}\n`);
    process.exitCode = 1;
  });
}
