/** The engines: the Pulumi command with all its files in the cell's directory, or the offline engine. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import realEngine from "../real-engine.cjs";
import { run } from "./processes.mjs";

const { TestStack } = createRequire(import.meta.url)("../../dist/testing/index.js");

/**
 * Opens a stack on the Pulumi command. Each operation returns whether it failed, its output and its seconds.
 * Settings are `{ config, secrets, env }`.
 */
export async function openCliStack(project, settings, { directory, env, signal }) {
  const options = {
    cwd: project,
    signal,
    env: { ...env, ...settings.env, ...realEngine.engineEnvironment(directory) },
  };
  const pulumi = async (args, input, environment = {}) => {
    const result = await run("pulumi", args, { ...options, input, env: { ...options.env, ...environment } });
    return { failed: result.code !== 0, text: result.output, seconds: result.seconds };
  };
  const prepare = async (args, input) => {
    const { failed, text } = await pulumi(args, input);
    if (failed) throw new Error(`pulumi ${args.slice(0, 2).join(" ")} failed:\n${text}`);
  };
  await prepare(["stack", "init", "cell"]);
  for (const [key, value] of Object.entries(settings.config)) await prepare(["config", "set", key, value]);
  for (const [key, value] of Object.entries(settings.secrets)) {
    await prepare(["config", "set", "--secret", key], value);
  }
  return {
    preview: (environment) => pulumi(["preview"], "", environment),
    up: () => pulumi(["up", "--yes", "--skip-preview"]),
    upAgain: () => pulumi(["up", "--yes", "--skip-preview", "--expect-no-changes"]),
    refresh: () => pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]),
    destroy: () => pulumi(["destroy", "--yes", "--skip-preview"]),
    written: () => contents(directory, ["state", "home"]),
    close: async () => {},
  };
}

/** Opens a stack on the offline engine, which runs programs on the Node of this process. */
export async function openOfflineStack(project, { config, secrets, env: own }, { env, signal }) {
  const open = (more) =>
    TestStack.create({ workDir: project, config, secrets, env: complete({ ...env, ...own, ...more }) });
  const stack = await open();
  const perform = async (operation, on = stack) => {
    const started = performance.now();
    const result = await orAborted(on[operation]().then(succeeded, failed), signal);
    return { ...result, seconds: (performance.now() - started) / 1000 };
  };
  const unchanged = async (operation) => {
    const result = await perform(operation);
    const changed = Object.keys(result.changes).filter((name) => !["same", "refresh", "read"].includes(name));
    if (changed.length === 0) return result;
    return { ...result, failed: true, text: `${result.text}\nwas to change nothing, but did: ${changed}` };
  };
  return {
    preview: async (environment) => perform("preview", environment ? await open(environment) : stack),
    up: () => perform("up"),
    upAgain: () => unchanged("up"),
    refresh: () => unchanged("refresh"),
    destroy: () => perform("destroy"),
    written: () => "",
    close: () => stack.close(),
  };
}

/** The offline engine adds its environment to this process's, so variables that a cell must not have are removed by name. */
function complete(env) {
  const missing = Object.keys(process.env).filter((name) => !(name in env));
  return { ...Object.fromEntries(missing.map((name) => [name, undefined])), ...env };
}

function succeeded(result) {
  return { failed: false, text: textOf(result), changes: result.changes };
}

function failed(error) {
  const { result = { changes: {}, diagnostics: [], outputs: {} } } = error;
  return { failed: true, text: `${textOf(result)}\n${error.message}`, changes: result.changes };
}

/** What a user sees: outputs that are not secret, and messages above debug level. */
function textOf({ diagnostics, outputs }) {
  const shown = Object.entries(outputs).map(([name, { value, secret }]) => [
    name,
    secret ? "[secret]" : value,
  ]);
  const messages = diagnostics.filter(({ severity }) => severity !== "debug");
  return [...messages.map(({ message }) => message), JSON.stringify(Object.fromEntries(shown))].join("\n");
}

function orAborted(promise, signal) {
  const aborted = new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, aborted]);
}

function contents(directory, names) {
  return names
    .flatMap((name) => readdirSync(path.join(directory, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
