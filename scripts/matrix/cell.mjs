/** Runs one cell from its project to its result. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { openCliStack, openOfflineStack } from "./engines.mjs";
import { beRefused, liveThrough, settingsOf } from "./life.mjs";
import { endStragglers, run } from "./processes.mjs";
import { makeProject } from "./projects.mjs";
import { LeftOut } from "./tools.mjs";

const LIMIT_MS = 240_000;
/** Number of output lines shown for a failure; the cause is at the end. */
const DETAIL_LINES = 30;

/** @returns the cell's name, engine, result (`works`, `refused`, `left out` or `failed`), seconds, note and detail */
export async function runCell(cell, service, shared) {
  const started = performance.now();
  const limit = AbortSignal.timeout(LIMIT_MS);
  const context = { ...shared, env: { ...shared.env }, signal: AbortSignal.any([shared.signal, limit]) };
  const outcome = await attempt(cell, service, context)
    .finally(() => endStragglers(shared.directory))
    .catch((error) => failure(error, shared, limit));
  const seconds = (performance.now() - started) / 1000;
  return { name: cell.name, engine: shared.engine, seconds, detail: "", ...outcome };
}

async function attempt(cell, service, context) {
  await requireEngine(cell, context);
  const bin = await context.tools.nodeBin(cell.node, context);
  context.env.PATH = [bin, context.env.PATH].join(path.delimiter);
  const node = (await run("node", ["--version"], { ...context, cwd: context.directory })).output.trim();
  if (cell.runtime === "bun") await addBun(context);
  const made = await makeProject(cell, context).catch((error) => {
    if (cell.refusedBy !== "npm" || !error.message.includes(cell.refusal)) throw error;
  });
  if (!made)
    return { result: "refused", note: `Node ${node.slice(1)}, SDK ${cell.sdk}; by npm, nothing installed` };
  const { project, env, sdk, versions } = made;
  Object.assign(context.env, env);
  const open = context.engine === "offline" ? openOfflineStack : openCliStack;
  const stack = await open(project, settingsOf(cell, service), context);
  try {
    const note = cell.refusal ? await beRefused(cell, stack, service) : await liveThrough(stack, service);
    const facts = [`Node ${node.slice(1)}`, `SDK ${sdk}`, versions].join(", ");
    return { result: cell.refusal ? "refused" : "works", note: [facts, note].filter(Boolean).join("; ") };
  } finally {
    await stack.close();
  }
}

/** Returns what the cell requires of the engine that is not available. */
async function requireEngine(cell, { engine, env }) {
  const own = process.versions.node.split(".")[0];
  if (engine === "offline") {
    if (cell.runtime) throw new LeftOut(`the offline engine has no runtime ${cell.runtime}`);
    if (cell.pnpHook || cell.refusedBy === "the engine") throw new LeftOut("only the Pulumi command tells");
    if (cell.node !== own) throw new LeftOut(`the offline engine runs on Node ${own} here`);
  } else if (cell.runtime && !onPath(`pulumi-language-${cell.runtime}`, env)) {
    throw new LeftOut(`the engine here has no pulumi-language-${cell.runtime}`);
  }
}

async function addBun(context) {
  const name = `@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : "x64"}`;
  const directory = await context.tools.install(name, "latest", context);
  const bin = path.join(directory, "node_modules", name, "bin");
  context.env.PATH = [bin, context.env.PATH].join(path.delimiter);
}

function onPath(command, env) {
  return env.PATH.split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function failure(error, shared, limit) {
  // An interrupted run is not a result.
  shared.signal.throwIfAborted();
  if (error instanceof LeftOut) return { result: "left out", note: error.message };
  const message = limit.aborted ? `not over after ${LIMIT_MS / 1000} s` : error.message;
  const lines = message.replaceAll(shared.directory, "…").trim().split("\n");
  return { result: "failed", note: lines[0], detail: lines.slice(1).slice(-DETAIL_LINES).join("\n") };
}
