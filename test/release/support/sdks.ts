/** Projects with the oldest and the newest SDK of the peer range, from npm's registry. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../../support/temporary";

const manifest: { peerDependencies: Record<string, string> } = require("../../../package.json");

export const OLDEST =
  /^>=(\S+) /.exec(manifest.peerDependencies["@pulumi/pulumi"] ?? "")?.[1] ?? "";

/** An empty project with that SDK. */
export function projectWith(sdk: string): string {
  const directory = temporaryDirectory();
  writeFileSync(path.join(directory, "package.json"), '{ "private": true }');
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, `@pulumi/pulumi@${sdk}`], { cwd: directory });

  return directory;
}

/** Runs a script in a project. @returns the JSON that it prints */
export function runIn<Result>(directory: string, script: string, ...nodeArgs: string[]): Result {
  const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "pipe", "pipe"];
  const file = path.join(directory, "index.js");
  writeFileSync(file, script);
  const args = [...nodeArgs, file];

  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: directory, stdio, encoding: "utf8" }),
  );
}
