/** Files that were written during a test. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The contents of all files below a directory, as they lie there. */
export function filesIn(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
