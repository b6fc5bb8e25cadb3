/**
 * Which languages can be run here, and what was measured: written into
 * docs/contributing/what-was-run.json for `npm run release -- record-languages`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../docs/support/markdown";
import { realEngineVersion } from "../../support/engines";
import { isOnPath } from "../../support/on-path";

const FILE = path.join(root, "docs/contributing/what-was-run.json");

/** Whether packages may be fetched from their registries. */
const mayFetch = (process.env.PLUGIN_LANGUAGES ?? "") !== "";

/** Why a language that needs these commands on PATH cannot be run here. */
export function missing(needs: string[], fetches = false): string | undefined {
  const absent = needs.find((command) => !isOnPath(command));
  if (absent) return `there is no ${absent} on PATH`;

  return fetches && !mayFetch
    ? "it fetches packages: `npm run release -- languages` runs it"
    : undefined;
}

/** Writes a complete table under this name, with the date and the versions, if recording is on. */
export function record(name: string, heading: string[], rows: string[][], count: number): void {
  if (process.env.PLUGIN_LANGUAGES !== "record") return;
  expect(rows).toHaveLength(count);

  const measured = `${new Date().toISOString().slice(0, 10)}; ${versions().join(", ")}`;
  const run: Record<string, unknown> = JSON.parse(readFileSync(FILE, "utf8"));
  run[name] = { measured, columns: heading, rows };
  writeFileSync(FILE, `${JSON.stringify(run, null, 2)}\n`);
}

function versions(): string[] {
  const versionOf = (command: string, ...args: string[]) =>
    execFileSync(command, args, { encoding: "utf8" }).trim();

  return [
    `engine ${realEngineVersion}`,
    `Node ${process.versions.node}`,
    versionOf("python3", "--version"),
    versionOf("go", "env", "GOVERSION").replace("go", "Go "),
    versionOf("javac", "--version").replace("javac", "JDK"),
  ];
}
