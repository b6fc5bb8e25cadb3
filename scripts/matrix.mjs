/**
 * Proves in which layouts the package works: each cell is a project outside the repository that installs the packed
 * package with a package manager and is previewed, deployed, deployed again, refreshed and destroyed against the local
 * service.
 *
 *     npm run release -- matrix --only PATTERN --write
 *
 * `--only` takes the cells whose name matches the regular expression; `--write` puts the rows into docs/contributing/what-was-run.md. Works on Linux
 * and macOS, with the `pulumi` command on PATH and packages from npm's configured registry.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { runCell } from "./matrix/cell.mjs";
import { CELLS } from "./matrix/cells.mjs";
import { rowOf, table, writeInto } from "./matrix/table.mjs";
import { Tools } from "./matrix/tools.mjs";
import realEngine from "./real-engine.cjs";
import { run } from "./run.cjs";

const { startEmulator } = createRequire(import.meta.url)("../dist/testing/index.js");
const root = path.join(import.meta.dirname, "..");

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** This process's environment without variables that would affect a cell: the user's settings and those of `npm run`. */
function cleanEnvironment() {
  const foreign =
    /^(DOMAIN_MONITORING_|PULUMI_|npm_(package|lifecycle)_|npm_config_(local_)?prefix$|INIT_CWD$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function pack(directory, options) {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", directory];
  const { code, output } = await run("npm", args, { ...options, cwd: root });
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  return path.join(directory, output.trim().split("\n").at(-1));
}

async function runAll(cells, shared) {
  const results = [];
  for (const [index, cell] of cells.entries()) {
    shared.signal.throwIfAborted();
    const service = await startEmulator();
    const directory = path.join(shared.directory, `cell-${index}`);
    mkdirSync(directory);
    try {
      const result = await runCell(cell, service, { ...shared, directory });
      results.push(result);
      say(`${index + 1}/${cells.length} ${result.name}: ${result.result}, ${result.note}`);
      if (result.detail) say(result.detail.replace(/^/gm, "    "));
    } finally {
      await service.close();
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return results;
}

async function main() {
  const { values } = parseArgs({
    options: { only: { type: "string" }, write: { type: "boolean" } },
  });
  const cells = CELLS.filter(({ name }) => new RegExp(values.only ?? "", "i").test(name));
  if (cells.length === 0) throw new Error(`no cell has a name like ${values.only}`);

  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) {
    process.once(name, () => interrupted.abort(new Error(`ended by ${name}`)));
  }
  // The engine compares directories, and on macOS the temporary directory is a symbolic link.
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "domain-monitoring-matrix-")));
  try {
    const options = { cwd: directory, env: cleanEnvironment(), signal: interrupted.signal };
    const version = realEngine.engineVersion(options.env);
    if (version === undefined) throw new Error("there is no `pulumi` command on PATH");
    const engine = `pulumi ${version}`;
    const tarball = await pack(directory, options);
    say(`Engine: ${engine}; Node ${process.versions.node}; ${cells.length} cells`);
    const tools = new Tools(path.join(directory, "tools"));
    const results = await runAll(cells, { ...options, directory, engine, tarball, tools });
    const rows = results.map(rowOf);
    say(`\n${table(rows)}`);
    if (values.write) {
      const names = CELLS.map(({ name }) => name);
      writeInto(path.join(root, "docs/contributing/what-was-run.md"), rows, names);
    }
    if (results.some(({ result }) => result === "failed")) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`matrix: ${error.message}\n`);
  process.exitCode = 1;
});
