/**
 * The modules that the offline engine loads before a program, with the oldest and the newest SDK of
 * the peer range from npm's registry. If an SDK moved a file, the preload would silently have no
 * effect. The installed SDK is tested in `packages/pulumi-offline/test`.
 */
import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { OLDEST, projectWith, runIn } from "./support/sdks";

const preload = require.resolve("../../packages/pulumi-offline/src/processes/preload");

/** Modules that are loaded on first access, by a part of their paths. */
const ARBORIST = "@npmcli/arborist/";
const ZIPKIN = "@opentelemetry/exporter-zipkin/";
const LATE = [
  "typescript/lib/typescript.js",
  ARBORIST,
  "normalize-package-data/",
  "@pulumi/pulumi/automation/index.js",
  ZIPKIN,
];

/** A project with that SDK, and with the TypeScript that is installed here. */
function withTypeScript(sdk: string): string {
  const directory = projectWith(sdk);
  const installed = path.join(directory, "node_modules/typescript");
  rmSync(installed, { recursive: true, force: true });
  symlinkSync(path.join(__dirname, "../../node_modules/typescript"), installed);

  return directory;
}

/**
 * Loads the SDK like a program.
 * @returns the modules of LATE that were loaded, and where the stack of an SDK error points
 */
function load(directory: string, ...nodeArgs: string[]): { loaded: string[]; stack: string } {
  const script = `
    const pulumi = require("@pulumi/pulumi");
    require("@pulumi/pulumi/cmd/run/tracing");
    // A stand-in for a module is not loaded and has no paths.
    const files = Object.keys(require.cache).filter((file) => require.cache[file].paths);
    const loaded = ${JSON.stringify(LATE)}.filter((name) => files.some((file) => file.includes(name)));
    const { createRequire } = require("node:module");
    createRequire(require.resolve("@pulumi/pulumi/cmd/run"))("source-map-support/register");
    try {
      new pulumi.Config("project").require("key");
    } catch ({ stack }) {
      console.log(JSON.stringify({ loaded, stack }));
    }
    process.exit();`;

  return runIn(directory, script, ...nodeArgs);
}

it.each([
  // It no longer loads the dependency tree at once, and takes what traces a program out of its modules.
  ["latest", LATE.filter((name) => name !== ARBORIST), [ZIPKIN]],
  [OLDEST, LATE, []],
])(
  "with the SDK %s the preload delays modules and leaves traces untranslated",
  (sdk, early, left) => {
    const directory = withTypeScript(sdk);
    const plain = load(directory);

    expect(plain.loaded).toEqual(early);
    expect(plain.stack).toMatch(/config\.ts:\d+/);

    const preloaded = load(directory, "-r", preload);
    expect(preloaded.loaded).toEqual(left);
    expect(preloaded.stack).toMatch(/config\.js:\d+/);
  },
);
