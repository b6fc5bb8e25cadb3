/** Checks that a program in this directory and the provider process find this package and the same copy of the SDK. */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Check } from "./check";
import { type Manifest, satisfies } from "./node";

const PROVIDER = "pulumi-domain-monitoring/provider";
const SDK = "@pulumi/pulumi";

/**
 * Resolves from the directory upwards, as the provider process does, without loading anything.
 * @param usesPlugin a project of the plugin needs none of this
 */
export function checkPackages(directory: string, manifest: Manifest, usesPlugin: boolean): Check[] {
  const provider = resolve(PROVIDER, path.join(directory, "index.js"));
  if (usesPlugin && provider === undefined) return [];
  return [packageCheck(provider, directory), sdkCheck(provider, directory, manifest)];
}

function packageCheck(provider: string | undefined, directory: string): Check {
  const topic = "package";
  if (process.versions.pnp !== undefined) {
    return {
      state: "fix",
      topic,
      text: "Yarn Plug'n'Play hides packages from the provider process: set `nodeLinker: node-modules` in .yarnrc.yml and install again",
    };
  }
  if (provider !== undefined) return { state: "ok", topic, text: `${PROVIDER} is found from ${directory}` };
  return {
    state: "fix",
    topic,
    text: `${PROVIDER} is not found from ${directory} upwards, where the provider process looks for it: run doctor in the directory of your Pulumi project, or run \`npm install pulumi-domain-monitoring\` there`,
  };
}

function sdkCheck(provider: string | undefined, directory: string, manifest: Manifest): Check {
  const topic = "Pulumi SDK";
  const sdk = resolve(`${SDK}/package.json`, path.join(directory, "index.js"));
  if (sdk === undefined) {
    return {
      state: "fix",
      topic,
      text: `${SDK} is not found from ${directory} upwards: run \`npm install ${SDK}\` in the directory of your Pulumi project`,
    };
  }
  const needed = manifest.peerDependencies?.[SDK] ?? "";
  const version = versionOf(sdk);
  if (version === undefined) {
    return { state: "unclear", topic, text: `the version in ${sdk} could not be read: install ${SDK} again` };
  }
  if (!satisfies(version, needed)) {
    return { state: "fix", topic, text: `${version} is not ${needed}: install a version of ${SDK} that is` };
  }
  const ours = provider === undefined ? undefined : resolve(`${SDK}/package.json`, provider);
  if (ours !== undefined && ours !== sdk) {
    return {
      state: "fix",
      topic,
      text: `there are two copies, ${versionOf(sdk) ?? "one"} for the program and ${versionOf(ours) ?? "another"} for this package, and each knows only its own resources: run \`npm dedupe\``,
    };
  }
  return { state: "ok", topic, text: `${version} (needed: ${needed}), one copy` };
}

function resolve(name: string, from: string): string | undefined {
  try {
    return realpathSync(createRequire(from).resolve(name));
  } catch {
    return undefined;
  }
}

function versionOf(manifestFile: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(manifestFile, "utf8"));
    const version: unknown =
      typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
