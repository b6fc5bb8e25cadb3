/** Directories that tests write to, which are gone after the test file. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const directories: string[] = [];

afterAll(() => {
  for (const directory of directories)
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** An empty directory outside the repository. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "test-")));
  directories.push(directory);
  return directory;
}
