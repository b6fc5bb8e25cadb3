/**
 * The tarballs, file by file: the modules of src/ compiled, and what pack-list.txt lists besides.
 * `npm run generate -- pack-list` lists another file, so that none gets in unseen.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PACKAGES, packed, root } from "./support/packed";

/** The format that scripts/packed.cjs writes. */
const listed = readFileSync(path.join(__dirname, "pack-list.txt"), "utf8").trimEnd().split("\n");

/** The modules of src/ as they are compiled. The plugin is bundled, and has tarballs of its own. */
function compiled(directory: string): string[] {
  const sources = readdirSync(path.join(root, directory, "src"), { recursive: true });
  const modules = sources
    .map((file) => String(file).replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith(".ts") && !file.startsWith("plugin/"));

  return modules.map((file) => path.posix.join(directory, "dist", file.replace(/ts$/, "js")));
}

it("the tarballs contain exactly the modules of src/ and the files of pack-list.txt (`npm run generate -- pack-list` writes it)", () => {
  const names = PACKAGES.flatMap((directory) =>
    packed(directory).files.map((file) => path.posix.join(directory, file.path)),
  );
  const expected = [...PACKAGES.flatMap(compiled), ...listed];
  expect(names.filter((name) => !name.endsWith(".d.ts")).sort()).toEqual(expected.sort());
});

describe.each([
  { directory: ".", atMost: { size: 190_000, unpackedSize: 700_000, files: 200 } },
  {
    directory: "packages/domain-monitoring-emulator",
    atMost: { size: 40_000, unpackedSize: 150_000, files: 31 },
  },
  {
    directory: "packages/pulumi-offline",
    atMost: { size: 45_000, unpackedSize: 170_000, files: 50 },
  },
])("the tarball of $directory", ({ directory, atMost }) => {
  const { files: all, size, unpackedSize } = packed(directory);
  const files = all.map((file) => file.path);

  it("has the declarations that an entry point leads to, and no others", () => {
    const modules = files
      .filter((file) => file.endsWith(".js"))
      .map((file) => file.replace(/\.js$/, ".d.ts"));
    const declarations = files.filter((file) => file.endsWith(".d.ts"));
    expect(declarations.filter((file) => !modules.includes(file))).toEqual([]);

    const { exports }: { exports: Record<string, { types?: string }> } = require(
      path.join(root, directory, "package.json"),
    );

    const entries = Object.values(exports).flatMap(({ types }) => types?.replace("./", "") ?? []);
    expect(declarations).toEqual(expect.arrayContaining(entries));
    // Nobody imports the command.
    expect(declarations.filter((file) => file.startsWith("dist/cli/"))).toEqual([]);
    expect(declarations.length).toBeLessThan(modules.length / 2);
  });

  it("names no page of the documentation, which it lacks", () => {
    const texts = files.filter((file) => /\.(js|d\.ts|json)$/.test(file));
    const naming = texts.filter((file) =>
      /(?<!\/)\b(docs\/[\w/-]+|interface)\.md/.test(
        readFileSync(path.join(root, directory, file), "utf8"),
      ),
    );

    expect(naming).toEqual([]);
  });

  it("is no larger than docs/contributing/development.md states", () => {
    expect(size).toBeLessThan(atMost.size);
    expect(unpackedSize).toBeLessThan(atMost.unpackedSize);
    expect(files.length).toBeLessThanOrEqual(atMost.files);
  });
});

describe.each(PACKAGES)("package.json of %s", (directory) => {
  const manifest: {
    name: string;
    bin?: object;
    scripts?: Record<string, string>;
    license: string;
  } = require(path.join(root, directory, "package.json"));

  it("has a command of the package's own name alone, which nobody else can register", () => {
    expect([[], [manifest.name]]).toContainEqual(Object.keys(manifest.bin ?? {}));
  });

  it("runs no scripts when users install the package", () => {
    const names = Object.keys(manifest.scripts ?? {});
    expect(names.filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
  });

  it("names the licence of the licence file", () => {
    expect(manifest.license).toBe("Apache-2.0");
    expect(readFileSync(path.join(root, directory, "LICENSE"), "utf8")).toContain("Apache License");
    expect(readFileSync(path.join(root, directory, "NOTICE"), "utf8")).toContain(
      "pulumi-domain-monitoring",
    );
  });
});
