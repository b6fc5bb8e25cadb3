/**
 * Checks that only the program can make, before anything is registered: the provider process must find this package, and
 * stack config must not have the token in plaintext. Missing settings are reported by the provider's `check`, in previews
 * too: a transform may still give a channel another provider.
 */
import { createRequire } from "node:module";
import path from "node:path";
import { endProgram } from "../end-program";
import { refusePlaintextToken } from "./connection";
import { isMocked } from "./sdk";

const RESOLVED = new Set<string>();

/**
 * Checks that a channel can be deployed from here.
 * @param usesDefaultProvider whether the program gives the channel no explicit provider
 */
export function preflight(usesDefaultProvider: boolean): void {
  // With mocks nothing is deployed.
  if (isMocked()) return;
  refuseImpossibleLayouts();
  requirePackageFrom(process.cwd());
  if (usesDefaultProvider) refusePlaintextToken();
}

/** The engine starts the provider process with plain `node`, which cannot read Yarn's archives. */
function refuseImpossibleLayouts(): void {
  if (process.versions.pnp === undefined) return;
  throw endProgram(
    "Yarn Plug'n'Play hides packages from the provider process, which the engine starts with plain node: " +
      "set `nodeLinker: node-modules` in .yarnrc.yml and install again",
  );
}

/** The provider process resolves the package from the program's directory upwards. */
function requirePackageFrom(directory: string): void {
  if (RESOLVED.has(directory)) return;
  try {
    createRequire(path.join(directory, "index.js")).resolve("pulumi-domain-monitoring/provider");
    RESOLVED.add(directory);
  } catch {
    throw endProgram(
      `pulumi-domain-monitoring is not installed where the provider process looks for it (from ${directory} upwards): ` +
        "add it to the dependencies of this project's own package.json and install them",
    );
  }
}
