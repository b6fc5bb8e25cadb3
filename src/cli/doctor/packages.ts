/** Checks that a program in this directory and the provider process find this package and the same copy of the SDK. */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { about, type Check } from "./check";
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
  const { ok, fix } = about("package");
  if (process.versions.pnp !== undefined)
    return fix(
      "Yarn Plug'n'Play hides packages from the provider process: set `nodeLinker: node-modules` in .yarnrc.yml and install again",
    );
  if (provider !== undefined) return ok(`${PROVIDER} is found from ${directory}`);
  return fix(
    `${PROVIDER} is not found from ${directory} upwards, where the provider process looks for it: run doctor in the directory of your Pulumi project, or run \`npm install pulumi-domain-monitoring\` there`,
  );
}

function sdkCheck(provider: string | undefined, directory: string, manifest: Manifest): Check {
  const { ok, fix, unclear } = about("Pulumi SDK");
  const sdk = resolve(`${SDK}/package.json`, path.join(directory, "index.js"));
  if (sdk === undefined)
    return fix(
      `${SDK} is not found from ${directory} upwards: run \`npm install ${SDK}\` in the directory of your Pulumi project`,
    );
  const needed = manifest.peerDependencies?.[SDK] ?? "";
  const version = versionOf(sdk);
  if (version === undefined) return unclear(`the version in ${sdk} could not be read: install ${SDK} again`);
  if (!satisfies(version, needed))
    return fix(`${version} is not ${needed}: install a version of ${SDK} that is`);
  const ours = provider === undefined ? undefined : resolve(`${SDK}/package.json`, provider);
  if (ours !== undefined && ours !== sdk)
    return fix(
      `there are two copies, ${version} for the program and ${versionOf(ours) ?? "another"} for this package, and each knows only its own resources: run \`npm dedupe\``,
    );
  return ok(`${version} (needed: ${needed}), one copy`);
}

function resolve(name: string, from: string): string | undefined {
  try {
    return realpathSync(createRequire(from).resolve(name));
  } catch {
    return undefined;
  }
}

/** The version in a package.json. @param name of the package that it must be. @default any */
export function versionOf(manifestFile: string, name?: string): string | undefined {
  try {
    const manifest: Record<string, unknown> = JSON.parse(readFileSync(manifestFile, "utf8"));
    const isWanted = name === undefined || manifest.name === name;
    return isWanted && typeof manifest.version === "string" ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}
