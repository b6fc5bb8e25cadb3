/**
 * The tarballs, file by file: the modules of src/ compiled, and what pack-list.txt lists besides.
 * `npm run generate -- pack-list` lists another file, so that none gets in unseen.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { PACKAGES, packed, read, root } from "./support/packed";

interface Manifest {
  name: string;
  bin?: object;
  exports: Record<string, { types?: string }>;
  scripts?: object;
  license: string;
}

/** The format that scripts/packed.cjs writes. */
const listed = read("test/package/pack-list.txt").trimEnd().split("\n");

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

describe.each<[directory: string, atMost: { size: number; unpackedSize: number; count: number }]>([
  [".", { size: 190_000, unpackedSize: 700_000, count: 200 }],
  ["packages/domain-monitoring-emulator", { size: 40_000, unpackedSize: 150_000, count: 31 }],
  ["packages/pulumi-offline", { size: 45_000, unpackedSize: 170_000, count: 50 }],
])("the tarball of %s", (directory, atMost) => {
  const { files: all, size, unpackedSize } = packed(directory);
  const files = all.map((file) => file.path);

  it("has the declarations that an entry point leads to, and no others", () => {
    const modules = files
      .filter((file) => file.endsWith(".js"))
      .map((file) => file.replace(/\.js$/, ".d.ts"));
    const declarations = files.filter((file) => file.endsWith(".d.ts"));
    expect(declarations.filter((file) => !modules.includes(file))).toEqual([]);

    const manifest: Manifest = JSON.parse(read(`${directory}/package.json`));
    const exported = Object.values(manifest.exports);
    const entries = exported.flatMap(({ types }) => types?.replace("./", "") ?? []);
    expect(declarations).toEqual(expect.arrayContaining(entries));
    // Nobody imports the command.
    expect(declarations.filter((file) => file.startsWith("dist/cli/"))).toEqual([]);
    expect(declarations.length).toBeLessThan(modules.length / 2);
  });

  it("names no page of the documentation, which it lacks", () => {
    const page = /(?<!\/)\b(docs\/[\w/-]+|interface)\.md/;
    const texts = files.filter((file) => /\.(js|d\.ts|json)$/.test(file));
    expect(texts.filter((file) => page.test(read(`${directory}/${file}`)))).toEqual([]);
  });

  it("is no larger than docs/contributing/development.md states", () => {
    expect(size).toBeLessThan(atMost.size);
    expect(unpackedSize).toBeLessThan(atMost.unpackedSize);
    expect(files.length).toBeLessThanOrEqual(atMost.count);
  });
});

describe.each(PACKAGES)("package.json of %s", (directory) => {
  const manifest: Manifest = JSON.parse(read(`${directory}/package.json`));

  it("has a command of the package's own name alone, which nobody else can register", () => {
    expect([[], [manifest.name]]).toContainEqual(Object.keys(manifest.bin ?? {}));
  });

  it("runs no scripts when users install the package", () => {
    const names = Object.keys(manifest.scripts ?? {});
    expect(names.filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
  });

  it("names the licence of the licence file", () => {
    expect(manifest.license).toBe("Apache-2.0");
    expect(read(`${directory}/LICENSE`)).toContain("Apache License");
    expect(read(`${directory}/NOTICE`)).toContain("pulumi-domain-monitoring");
  });
});
