/**
 * What the program alone can know to go wrong, told before anything is registered: the provider process must find this
 * package, and the token must not stand in plaintext in the stack's settings. Whether there are settings at all is told by
 * the provider's `check`, in the preview too: a transform may give a channel another provider after this.
 */
import { createRequire } from "node:module";
import path from "node:path";
import { refusePlaintextToken } from "./connection";
import { endProgram } from "./end-program";
import { isMocked } from "./sdk";

const RESOLVED = new Set<string>();

/**
 * Checks that a channel can be deployed from here.
 * @param usesDefaultProvider whether its settings come from stack config and environment, as far as the program says
 */
export function preflight(usesDefaultProvider: boolean): void {
  // Unit tests with mocks deploy nothing.
  if (isMocked()) return;
  refuseImpossibleLayouts();
  requirePackageFrom(process.cwd());
  if (usesDefaultProvider) refusePlaintextToken();
}

/** The engine starts the provider process with plain `node`, which knows nothing of Yarn's archives. */
function refuseImpossibleLayouts(): void {
  if (process.versions.pnp === undefined) return;
  throw endProgram(
    "Yarn Plug'n'Play hides packages from the provider process, which the engine starts with plain node: " +
      "set `nodeLinker: node-modules` in .yarnrc.yml and install again",
  );
}

/** The provider process starts in the program's directory and looks for the package from there upwards. */
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
