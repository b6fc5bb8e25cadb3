/**
 * The order of the modules (docs/contributing/development.md): which module may import which, and
 * where each package belongs. The linter finds cycles of files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { root } from "./support/packed";

/** The modules from top to bottom. None imports from one above it. */
const ORDER = [
  "cli",
  "program",
  "plugin",
  "provider",
  "functions",
  "config",
  "rules",
  "client",
  "names",
  "common",
];

/**
 * Where a package or its subpaths may be imported; the first match counts. An unlisted package may
 * not be imported anywhere.
 */
const PACKAGES: Record<string, RegExp> = {
  "@grpc/grpc-js": /^plugin\//,
  "@pulumi/pulumi/proto": /^plugin\//,
  // Never in client, rules, config, provider and plugin. They work without the SDK, and its load
  // time is paid once for each process.
  "@pulumi/pulumi": /^program\//,
  commander: /^cli\//,
  "google-protobuf": /^plugin\//,
  undici: /^client\/(options\.ts|internal\/)/,
  yaml: /^cli\//,
  zod: /^(client\/wire(-lists)?\.ts|cli\/)/,
};

/**
 * Where promises may be constructed directly: where a callback reports that something has ended.
 * Programs must not, because a promise that stays pending keeps an inline program from ending. They
 * use outputs and async functions.
 */
const CALLBACKS = /^(cli\/stack|client\/internal\/(attempt|http|limits)|plugin\/log)\.ts$/;

/** Every file below a directory, and its code without doc comments, which have examples. */
function sourcesIn(directory: string) {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes("node_modules"))
    .map((name) => {
      const text = readFileSync(path.join(directory, name), "utf8");
      const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "");
      return { file: name.replaceAll(path.sep, "/"), code };
    });
}

/**
 * Finds every form of import: `from`, a bare import, `import()`, `import()` in types, `require()`
 * and `require.resolve()`. The path of a relative one is that below the directory of the sources.
 */
function importsOf({ file, code }: { file: string; code: string }) {
  const form = /(?:\bfrom|(?<!")\bimport|\brequire(?:\.resolve)?)\s*\(?\s*"([^"]+)"/g;
  const { dirname, join } = path.posix;
  return [...code.matchAll(form)].map(([, to = ""]) => ({ file, to, at: join(dirname(file), to) }));
}

/** The module of a path below src/; `index` gathers them for users. */
const moduleOf = (file: string) => file.split("/")[0]?.replace(/\.ts$/, "") ?? "";

const sources = sourcesIn(path.join(root, "src"));
const imports = sources.flatMap(importsOf);
const inside = imports.filter(({ to }) => to.startsWith(".") && !to.endsWith("package.json"));
const packages = imports.filter(({ to }) => !to.startsWith(".") && !isBuiltin(to));

function filesWith(pattern: RegExp): string[] {
  return sources.filter(({ code }) => pattern.test(code)).map(({ file }) => file);
}

describe("the modules", () => {
  it("are found, because the test would otherwise prove nothing", () => {
    expect(inside.length).toBeGreaterThan(200);
    expect(packages.length).toBeGreaterThan(30);
  });

  it("are exactly those in the list", () => {
    const modules = new Set(sources.map(({ file }) => moduleOf(file)));
    modules.delete("index");
    expect([...modules].sort()).toEqual([...ORDER].sort());
  });

  it("import only downwards", () => {
    const upward = inside.filter(({ file, at }) => {
      const from = moduleOf(file);
      return from !== "index" && ORDER.indexOf(moduleOf(at)) < ORDER.indexOf(from);
    });

    expect(upward).toEqual([]);
  });

  it("import nothing from the `internal/` of another module", () => {
    const internal = inside.filter(({ at }) => at.includes("/internal/"));
    expect(internal.length).toBeGreaterThan(30);
    const reaching = internal.filter(({ file, at }) => moduleOf(at) !== moduleOf(file));
    // The main entry point starts with the check that the SDK is installed.
    expect(reaching).toEqual([
      { file: "index.ts", to: "./program/internal/sdk", at: "program/internal/sdk" },
    ]);
  });

  it("the modules of the main entry point do not load the command", () => {
    const gathered = inside.filter(({ file }) => file === "index.ts").map(({ at }) => moduleOf(at));
    expect([...new Set(gathered)].sort()).toEqual(["client", "program", "rules"]);
  });

  it("load only the packages that are listed for them", () => {
    const listed = Object.entries(PACKAGES);
    const misplaced = packages.filter(({ file, to }) => {
      const [, places] = listed.find(([name]) => `${to}/`.startsWith(`${name}/`)) ?? [];
      return !places?.test(file);
    });

    expect(misplaced).toEqual([]);
  });

  it("load nothing by a name that is computed at run time", () => {
    expect(filesWith(/\b(?:require|import)\(\s*[^"')\s]/)).toEqual([]);
  });

  it("use the SDK's unpublished names in one file, besides the types' own tokens", () => {
    const names =
      /(?<!static readonly |DomainAlerts\.|Domain\.|NotificationChannel\.)\b(__pulumi\w+|__providers|__data|__childResources|isConfigSecret|signalAndWaitForShutdown|allResources)\b/;

    expect(filesWith(names)).toEqual(["program/internal/sdk.ts"]);
  });

  it("make promises by hand only where a callback is waited for", () => {
    const making = filesWith(/\bnew Promise\b|\bwithResolvers\b/);
    expect(making.length).toBeGreaterThan(4);
    expect(making.filter((file) => !CALLBACKS.test(file))).toEqual([]);
  });
});

const { dependencies } = require("../../packages/domain-monitoring-emulator/package.json");

it.each([
  ["domain-monitoring-emulator", Object.keys(dependencies)],
  // The SDK and its dependencies.
  ["pulumi-offline", ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf"]],
])("%s loads nothing but itself and its dependencies", (name, known) => {
  const imports = sourcesIn(path.join(root, "packages", name, "src")).flatMap(importsOf);
  const others = imports.filter(({ to, at }) => {
    if (isBuiltin(to) || to === "../package.json") return false;
    if (to.startsWith(".")) return at.startsWith("../");
    return !known.some((one) => `${to}/`.startsWith(`${one}/`));
  });

  expect(imports.length).toBeGreaterThan(50);
  expect(others).toEqual([]);
});
