/** A `pulumi` command that only answers what this package's commands ask it. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Answers `version`, `config --json` and `config get` for these secrets. The calls are kept in
 * `pulumi-calls`.
 * @param config null where no stack is selected
 * @returns the directory of the command, which PATH is set to
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

  // Without other commands on PATH the shell reads the file itself.
  const lines = [
    "#!/bin/sh",
    `cd '${directory}' && echo "$*" >> pulumi-calls`,
    'if [ "$1" = version ]; then echo v3.200.0; exit 0; fi',
    'file=config.json; if [ "$2" = get ]; then file="$3"; fi',
    '[ -f "$file" ] || exit 1',
    'while IFS= read -r line || [ -n "$line" ]; do echo "$line"; done < "$file"',
  ];

  writeFileSync(path.join(bin, "pulumi"), `${lines.join("\n")}\n`);
  chmodSync(path.join(bin, "pulumi"), 0o755);

  return bin;
}
