/** The real engine with all its files in the cell's directory. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { openStack } from "../real-engine.cjs";

/**
 * Opens a stack. Each operation returns whether it failed, its output and its seconds.
 * Settings are `{ config, secrets, env }`.
 */
export async function openCell(project, settings, { directory, env, signal }) {
  const pulumi = await openStack({
    ...settings,
    project,
    directory,
    signal,
    stack: "cell",
    env: { ...env, ...settings.env },
  });
  const perform = async (args, more) => {
    const { code, output, seconds } = await pulumi(args, { mayFail: true, env: more });
    return { failed: code !== 0, text: output, seconds };
  };
  return {
    preview: (environment) => perform(["preview"], environment),
    up: () => perform(["up", "--yes", "--skip-preview"]),
    upAgain: () => perform(["up", "--yes", "--skip-preview", "--expect-no-changes"]),
    refresh: () => perform(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]),
    destroy: () => perform(["destroy", "--yes", "--skip-preview"]),
    written: () => contents(directory, ["state", "home"]),
  };
}

function contents(directory, names) {
  return names
    .flatMap((name) => readdirSync(path.join(directory, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
