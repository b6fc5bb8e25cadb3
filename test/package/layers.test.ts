/**
 * The order of the modules (docs/contributing/development.md): which module may import which, and
 * where each package belongs.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";

const root = path.join(__dirname, "../..");
const src = path.join(root, "src");
const emulator = path.join(root, "packages/domain-monitoring-emulator/src");
const offline = path.join(root, "packages/pulumi-offline/src");

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

/** The files of a directory that import each other in a cycle, types included. */
function cyclesOfFiles(directory: string): string[] {
  const uses = new Map<string, Set<string>>();
  for (const found of importsOf(directory).filter(({ to }) => to.startsWith("."))) {
    const file = found.file.split(path.sep).join("/");
    const target = `${pathOf(found)}.ts`;
    const isFile = existsSync(path.join(directory, target));
    uses.set(
      file,
      (uses.get(file) ?? new Set()).add(isFile ? target : `${pathOf(found)}/index.ts`),
    );
  }

  expect(uses.size).toBeGreaterThan(10);

  return cyclesIn(uses);
}

/** A cycle as its members, each of which uses the next. */
function cyclesIn(uses: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const visit = (part: string, trail: string[]): string[] => {
    if (trail.includes(part)) return [[...trail.slice(trail.indexOf(part)), part].join(" > ")];
    if (done.has(part)) return [];

    const found = [...(uses.get(part) ?? [])].flatMap((next) => visit(next, [...trail, part]));
    done.add(part);

    return found;
  };

  return [...uses.keys()].flatMap((part) => visit(part, []));
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
    expect([...new Set(gathered)].sort()).toEqual(["client", "functions", "program", "rules"]);
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

  it("make promises by hand only where a callback is waited for", () => {
    const making = files(src).filter((file) =>
      /\bnew Promise\b|\bwithResolvers\b/.test(readFileSync(path.join(src, file), "utf8")),
    );

    expect(making.length).toBeGreaterThan(4);
    expect(making.filter((file) => !CALLBACKS.test(file.split(path.sep).join("/")))).toEqual([]);
  });
});

describe("the emulator", () => {
  it("loads nothing but itself and its dependencies", () => {
    const { dependencies } = require("../../packages/domain-monitoring-emulator/package.json");
    const imports = importsOf(emulator).filter(
      ({ to }) => !isBuiltin(to) && to !== "../package.json",
    );

    const others = imports.filter((found) => {
      if (found.to.startsWith(".")) return pathOf(found).startsWith("../");
      return !Object.keys(dependencies).some((name) => `${found.to}/`.startsWith(`${name}/`));
    });

    expect(imports.length).toBeGreaterThan(50);
    expect(others).toEqual([]);
  });
});

describe("the offline engine", () => {
  const imports = importsOf(offline);

  it("loads nothing but itself and the SDK with its dependencies", () => {
    const others = imports.filter(
      (found) =>
        !isBuiltin(found.to) &&
        !/^(@pulumi\/pulumi|@grpc\/grpc-js|google-protobuf)(\/|$)/.test(found.to) &&
        (!found.to.startsWith(".") || pathOf(found).startsWith("../")),
    );

    expect(imports.length).toBeGreaterThan(100);
    expect(others).toEqual([]);
  });
});

test.each(["src", "packages/pulumi-offline/src", "packages/domain-monitoring-emulator/src"])(
  "the files of %s import each other in no cycle",
  (directory) => {
    expect(cyclesOfFiles(path.join(root, directory))).toEqual([]);
  },
);

describe("the examples", () => {
  it("import the package by its name, as users do", () => {
    const reaching = importsOf(path.join(root, "examples")).filter(({ to }) =>
      /^\.\.\/.*(src|dist)\b/.test(to),
    );

    expect(reaching).toEqual([]);
  });
});
