/**
 * Writes measurements into docs/contributing/what-was-run.json, for `npm run release --
 * record-languages`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../docs/support/markdown";
import { realEngineVersion } from "../../support/engines";

const FILE = path.join(root, "docs/contributing/what-was-run.json");

/** Whether packages may be fetched from their registries. */
export const mayFetch = (process.env.PLUGIN_LANGUAGES ?? "") !== "";

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
