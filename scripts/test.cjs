"use strict";
// The tests, with everything else that has to hold beside them: types, lint and unused code. Leaves
// no process and no file behind, also after Ctrl-C.
//
//     npm test              what needs no engine, and never runs the `pulumi` on PATH
//     npm run test:engine   what runs on the real engine, with the `pulumi` on PATH
//     npm run test:all      both, with all of parity, long lives, coverage and the checks of the
//                           published packages; before a release
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { kill, processesWith } = require("./processes.cjs");
const { engineVersion } = require("./real-engine.cjs");

const root = path.join(__dirname, "..");
const scope = process.argv[2] ?? "offline";

/** Everything that the run keeps outside the repository, and by which its processes are found. */
const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "tests-")));

const env = {
  ...process.env,
  TMPDIR: directory,
  TEST_SCOPE: scope,
  PATH: scope === "offline" ? pathWithoutEngine() : process.env.PATH,
};

/** PATH without Pulumi's commands; what else is beside them stays. */
function pathWithoutEngine() {
  const isEngine = (name) => name.startsWith("pulumi");
  const searched = (process.env.PATH ?? "").split(path.delimiter).map((folder, index) => {
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    if (!names.some(isEngine)) return folder;
    const links = path.join(directory, "path", String(index));
    fs.mkdirSync(links, { recursive: true });
    for (const name of names.filter((name) => !isEngine(name)))
      fs.symlinkSync(path.resolve(folder, name), path.join(links, name));
    return links;
  });
  return searched.join(path.delimiter);
}

const running = new Set();
const failed = [];
let interrupted = false;

/** Runs a command. What it prints is shown as it comes, or at the end where it is `quiet`. */
function run(title, { quiet }, command, ...args) {
  if (interrupted) return Promise.resolve(false);
  const stdio = quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
  const child = spawn(command, args, { cwd: root, env, stdio });
  running.add(child);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      const isPassed = code === 0;
      if (!isPassed) failed.push(title);
      if (quiet)
        process.stdout.write(`\n${title}: ${isPassed ? "passed" : `failed\n${printed}`}\n`);
      resolve(isPassed);
    });
  });
}

const node = (title, ...args) => run(title, { quiet: true }, process.execPath, ...args);
const script = (title, name) => run(title, { quiet: true }, "npm", "run", "--silent", name);
/** With more room for what lives shortly: the garbage collector is a tenth of the time else. */
const jest = (...args) => {
  const command = ["--max-semi-space-size=64", path.join(root, "node_modules/jest/bin/jest.js")];
  return run("tests", {}, process.execPath, ...command, ...args);
};

async function build() {
  if (!(await node("build", "scripts/build.cjs"))) return false;
  return node("plugin", "scripts/build-plugin.cjs");
}

async function everything() {
  if (!(await build())) return;
  await Promise.all([
    jest(),
    script("types", "typecheck"),
    script("lint", "lint"),
    script("unused", "unused"),
  ]);
  if (scope !== "all") return;
  await node("packages", "scripts/check-package.mjs");
  // Of the tests that are about these modules: of all tests it would take as long as they do.
  await jest("--coverage", "--testPathPatterns", "test/(client|provider)/");
}

async function onEngine() {
  if (await build()) await jest();
}

async function main() {
  if (scope !== "offline" && engineVersion() === undefined)
    throw new Error("there is no `pulumi` command on PATH: install it, or run `npm test`");
  await (scope === "engine" ? onEngine() : everything());
  if (failed.length > 0) throw new Error(`failed: ${[...new Set(failed)].join(", ")}`);
}

/** Ends what is left: jest ends its workers, and nobody what these have started. */
function clean() {
  kill(...processesWith("TMPDIR", directory));
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill(signal);
  });

main()
  .catch(({ message }) => {
    if (!interrupted) process.stderr.write(`\n${message}\n`);
    process.exitCode = interrupted ? 130 : 1;
  })
  .finally(clean);
