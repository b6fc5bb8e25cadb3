/**
 * Checks the packed packages, as users get them, with publint and are-the-types-wrong. Works
 * offline; exits with 1 if either finds a problem.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { PACKAGES, packed, root } from "./packed.cjs";

async function problemsOf(directory) {
  const manifest = JSON.parse(readFileSync(path.join(root, directory, "package.json"), "utf8"));
  const tarball = readFileSync(packed(directory).tarball).buffer;
  const { messages } = await publint({ pack: { tarball }, strict: true });
  const { problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`),
    ...problems.map((problem) => `are-the-types-wrong: ${JSON.stringify(problem)}`),
  ];
}

const problems = (await Promise.all(PACKAGES.map(problemsOf))).flat();
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
