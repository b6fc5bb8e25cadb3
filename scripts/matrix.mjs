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
import { packed } from "./packed.cjs";
import realEngine from "./real-engine.cjs";
import { between, table, writeBetween } from "./tables.cjs";

const { startEmulator } = createRequire(import.meta.url)("../dist/testing/index.js");
const root = path.join(import.meta.dirname, "..");

/** How long a command of a cell may take. */
const LIMIT_MS = 240_000;

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** This process's environment without variables that would affect a cell: the user's settings and those of `npm run`. */
function cleanEnvironment() {
  const foreign =
    /^(DOMAIN_MONITORING_|PULUMI_|npm_(package|lifecycle)_|npm_config_(local_)?prefix$|INIT_CWD$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

const PAGE = path.join(root, "docs/contributing/what-was-run.md");
const MARKERS = ["<!-- matrix: begin -->", "<!-- matrix: end -->"];
const HEAD = ["Cell", "Day", "Engine", "Result", "Seconds", "Note"];
const tableOf = (rows) => table(HEAD, rows, (column) => HEAD[column] === "Seconds");

/** Puts rows into the page. Rows of other cells stay; those of no cell any more are taken out. */
function record(rows) {
  const lines = between(PAGE, ...MARKERS).split("\n");
  const before = lines.filter((line) => line.startsWith("| ")).map(textsOf);
  const known = new Map([...before, ...rows].map((row) => [row[0], row]));
  const merged = CELLS.flatMap(({ name }) => (known.has(name) ? [known.get(name)] : []));
  writeBetween(PAGE, ...MARKERS, tableOf(merged));
}

function textsOf(line) {
  const texts = line.slice(1, -1).split(/(?<!\\)\|/);
  return texts.map((text) => text.trim().replaceAll("\\|", "|"));
}

async function main() {
  const { values } = parseArgs({ options: { only: { type: "string" }, write: { type: "boolean" } } });
  const cells = CELLS.filter(({ name }) => new RegExp(values.only ?? "", "i").test(name));
  if (cells.length === 0) throw new Error(`no cell has a name like ${values.only}`);
  const version = realEngine.engineVersion();
  if (version === undefined) throw new Error("there is no `pulumi` command on PATH");
  say(`Engine: pulumi ${version}; Node ${process.versions.node}; ${cells.length} cells`);

  // The engine compares directories, and on macOS the temporary directory is a symbolic link.
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "domain-monitoring-matrix-")));
  const rows = [];
  try {
    for (const [index, cell] of cells.entries()) {
      const { name, result, seconds, note, detail } = await runIn(path.join(directory, `${index}`), cell);
      say(`${index + 1}/${cells.length} ${name}: ${result}, ${note}`);
      if (detail) say(detail.replace(/^/gm, "    "));
      if (result === "failed") process.exitCode = 1;
      const day = new Date().toISOString().slice(0, 10);
      rows.push([name, day, `pulumi ${version}`, result, seconds.toFixed(0), note]);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  say(`\n${tableOf(rows)}`);
  if (values.write) record(rows);
}

/** Runs a cell in a directory and with a service of its own. */
async function runIn(directory, cell) {
  const service = await startEmulator();
  mkdirSync(directory);
  try {
    const options = { cwd: directory, env: cleanEnvironment(), timeout: LIMIT_MS };
    const tools = path.join(directory, "../tools");
    return await runCell(cell, service, { directory, tools, tarball: packed().tarball, options });
  } finally {
    await service.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`matrix: ${error.message}\n`);
  process.exitCode = 1;
});
