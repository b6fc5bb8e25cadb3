/**
 * The order of the modules (docs/contributing/development.md): which module may import which, and
 * where each package belongs. The linter finds cycles of files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";

const root = path.join(__dirname, "../..");
const src = path.join(root, "src");

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

interface Import {
  /** Below src/. */
  file: string;
  to: string;
}

function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.[cm]?[jt]s$/.test(name) && !name.includes("node_modules"),
  );
}

/**
 * Finds every form of import: `from`, a bare import, `import()`, `import()` in types, `require()`
 * and `require.resolve()`. Examples in doc comments are skipped.
 */
function importsOf(directory: string): Import[] {
  return files(directory).flatMap((file) => {
    const text = readFileSync(path.join(directory, file), "utf8").replace(
      /\/\*\*[\s\S]*?\*\//g,
      "",
    );

    const found = text.matchAll(
      /(?:\bfrom|(?<!")\bimport|\brequire(?:\.resolve)?)\s*\(?\s*"([^"]+)"/g,
    );

    return [...found].map((match) => ({ file, to: match[1] ?? "" }));
  });
}

/** The module of a path below src/; `index` gathers them for users. */
function moduleOf(file: string): string {
  return file.split(path.sep)[0]?.replace(/\.ts$/, "") ?? "";
}

/** The path below src/ that a relative import leads to. */
function pathOf({ file, to }: Import): string {
  return path.join(path.dirname(file), to).split(path.sep).join("/");
}

/** The module that a relative import leads to. */
function target(found: Import): string {
  return moduleOf(pathOf(found));
}

const imports = importsOf(src);
const inside = imports.filter(({ to }) => to.startsWith(".") && !to.endsWith("package.json"));
const packages = imports.filter(({ to }) => !to.startsWith(".") && !isBuiltin(to));

describe("the modules", () => {
  it("are found, because the test would otherwise prove nothing", () => {
    expect(inside.length).toBeGreaterThan(200);
    expect(packages.length).toBeGreaterThan(30);
  });

  it("are exactly those in the list", () => {
    const modules = new Set(files(src).map(moduleOf));
    modules.delete("index");
    expect([...modules].sort()).toEqual([...ORDER].sort());
  });

  it("import only downwards", () => {
    const upward = inside.filter(
      (found) =>
        moduleOf(found.file) !== "index" &&
        ORDER.indexOf(target(found)) < ORDER.indexOf(moduleOf(found.file)),
    );

    expect(upward).toEqual([]);
  });

  it("import nothing from the `internal/` of another module", () => {
    const internal = inside.filter(({ file, to }) =>
      path.join(path.dirname(file), to).includes("/internal/"),
    );

    expect(internal.length).toBeGreaterThan(30);

    const reaching = internal.filter((found) => target(found) !== moduleOf(found.file));

    // The main entry point starts with the check that the SDK is installed.
    expect(reaching).toEqual([{ file: "index.ts", to: "./program/internal/sdk" }]);
  });

  it("the modules of the main entry point do not load the command", () => {
    const gathered = inside.filter(({ file }) => moduleOf(file) === "index").map(target);
    expect([...new Set(gathered)].sort()).toEqual(["client", "program", "rules"]);
  });

  it("load only the packages that are listed for them", () => {
    const misplaced = packages.filter(({ file, to }) => {
      const [, places] =
        Object.entries(PACKAGES).find(([name]) => `${to}/`.startsWith(`${name}/`)) ?? [];

      return !places?.test(file.split(path.sep).join("/"));
    });

    expect(misplaced).toEqual([]);
  });

  it("load nothing by a name that is computed at run time", () => {
    const computed = files(src).filter((file) =>
      /\b(?:require|import)\(\s*[^"')\s]/.test(readFileSync(path.join(src, file), "utf8")),
    );

    expect(computed).toEqual([]);
  });

  it("use the SDK's unpublished names in one file, besides the types' own tokens", () => {
    const names =
      /(?<!static readonly |DomainAlerts\.|Domain\.|NotificationChannel\.)\b(__pulumi\w+|__providers|__data|__childResources|isConfigSecret|signalAndWaitForShutdown|allResources)\b/;

    const using = files(src).filter((file) =>
      names.test(readFileSync(path.join(src, file), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "")),
    );

    expect(using).toEqual(["program/internal/sdk.ts"]);
  });

  it("make promises by hand only where a callback is waited for", () => {
    const making = files(src).filter((file) =>
      /\bnew Promise\b|\bwithResolvers\b/.test(readFileSync(path.join(src, file), "utf8")),
    );

    expect(making.length).toBeGreaterThan(4);
    expect(making.filter((file) => !CALLBACKS.test(file.split(path.sep).join("/")))).toEqual([]);
  });
});

const { dependencies } = require("../../packages/domain-monitoring-emulator/package.json");

it.each([
  ["domain-monitoring-emulator", Object.keys(dependencies)],
  // The SDK and its dependencies.
  ["pulumi-offline", ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf"]],
])("%s loads nothing but itself and its dependencies", (name, known) => {
  const imports = importsOf(path.join(root, "packages", name, "src"));
  const others = imports.filter((found) => {
    if (isBuiltin(found.to) || found.to === "../package.json") return false;
    if (found.to.startsWith(".")) return pathOf(found).startsWith("../");
    return !known.some((one) => `${found.to}/`.startsWith(`${one}/`));
  });

  expect(imports.length).toBeGreaterThan(50);
  expect(others).toEqual([]);
});
