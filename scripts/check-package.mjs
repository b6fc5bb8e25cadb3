/**
 * Asks publint and are-the-types-wrong about the packed package, as users get it. Offline; ends with 1 where either
 * finds anything.
 *
 *     npm run check:package
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = path.join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

async function problemsOf(tarball) {
  const { messages } = await publint({ pack: { tarball }, strict: true });
  const { problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`),
    ...problems.map((problem) => `are-the-types-wrong: ${JSON.stringify(problem)}`),
  ];
}

const directory = mkdtempSync(path.join(tmpdir(), "check-package-"));
try {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", directory];
  const name = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const problems = await problemsOf(readFileSync(path.join(directory, name.trim())).buffer);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
