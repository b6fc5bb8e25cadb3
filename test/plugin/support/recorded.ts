/**
 * Writes measurements into docs/contributing/what-was-run.md, for `npm run release --
 * record-languages`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../docs/support/markdown";
import { realEngineVersion } from "../../support/engines";

const {
  table,
}: { table(heading: string[], rows: string[][]): string } = require("../../../scripts/tables.cjs");

const PAGE = path.join(root, "docs/contributing/what-was-run.md");

/** Whether packages may be fetched from their registries. */
export const mayFetch = (process.env.PLUGIN_LANGUAGES ?? "") !== "";

/**
 * Writes a complete table with the date and the versions between the markers of this name, if
 * recording is on.
 */
export function record(name: string, heading: string[], rows: string[][], count: number): void {
  if (process.env.PLUGIN_LANGUAGES !== "record") return;

  expect(rows).toHaveLength(count);

  const measured = `Measured ${new Date().toISOString().slice(0, 10)}; ${versions().join(", ")}.`;
  const page = readFileSync(PAGE, "utf8");
  const marked = new RegExp(`(<!-- recorded: ${name} -->\n).*?(<!-- end of recorded -->)`, "s");

  expect(page).toMatch(marked);

  const text = [measured, table(heading, rows)].join("\n\n");
  writeFileSync(
    PAGE,
    page.replace(marked, (_all, start, end) => `${start}\n${text}\n\n${end}`),
  );
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
