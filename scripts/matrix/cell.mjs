/** Runs one cell from its project to its result. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { run } from "../run.cjs";
import { openCell } from "./engine.mjs";
import { beRefused, liveThrough, settingsOf } from "./life.mjs";
import { endStragglers } from "./processes.mjs";
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
  if (cell.runtime && !onPath(`pulumi-language-${cell.runtime}`, context.env))
    throw new LeftOut(`the engine here has no pulumi-language-${cell.runtime}`);
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
  const stack = await openCell(project, settingsOf(cell, service), context);
  const note = cell.refusal ? await beRefused(cell, stack, service) : await liveThrough(stack, service);
  const facts = [`Node ${node.slice(1)}`, `SDK ${sdk}`, versions].join(", ");
  return { result: cell.refusal ? "refused" : "works", note: [facts, note].filter(Boolean).join("; ") };
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
