/** Files that were written during a test. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What the files below a directory hold, as it lies there. */
export function filesIn(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
