/** A `pulumi` command that answers only the questions of this package's commands. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Answers `version`, `config --json`, `config get` for these secrets, and `stack export` with the
 * file `export.json`, if there is one. The file `pulumi-calls` records the calls.
 * @param config null if no stack is selected
 * @returns the directory of the command, for PATH
 */
export function fakePulumi(
  directory: string,
  config: Record<string, unknown> | null = {},
  secrets: Record<string, string> = {},
): string {
  const bin = path.join(directory, "bin");
  mkdirSync(bin, { recursive: true });
  if (config) writeFileSync(path.join(directory, "config.json"), JSON.stringify(config));
  for (const [key, value] of Object.entries(secrets))
    writeFileSync(path.join(directory, key), value);

  // PATH has no other commands, so the shell reads the file itself.
  const lines = [
    "#!/bin/sh",
    `cd '${directory}' && echo "$*" >> pulumi-calls`,
    'if [ "$1" = version ]; then echo v3.200.0; exit 0; fi',
    'file=config.json; if [ "$2" = get ]; then file="$3"; fi',
    'if [ "$1" = stack ]; then file=export.json; fi',
    '[ -f "$file" ] || exit 1',
    'while IFS= read -r line || [ -n "$line" ]; do echo "$line"; done < "$file"',
  ];

  writeFileSync(path.join(bin, "pulumi"), `${lines.join("\n")}\n`, { mode: 0o755 });
  return bin;
}
