/**
 * The packages that an installation brings, their size, and a lockfile that works on every
 * platform.
 */
import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { read, root } from "./support/packed";

interface Locked {
  resolved?: string;
  integrity?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  link?: boolean;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  hasInstallScript?: boolean;
}

const locked: Record<string, Locked> = JSON.parse(read("package-lock.json")).packages;

const manifest: Required<
  Pick<Locked, "dependencies" | "peerDependencies" | "peerDependenciesMeta">
> = require("../../package.json");

/** Where Node finds a package that another one requires, as a key of the lockfile. */
function find(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const key = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (locked[key]) return key;
    if (at === "") return undefined;
  }
}

const emulator: { dependencies: Record<string, string> } =
  require("../../packages/domain-monitoring-emulator/package.json");

/** All transitive dependencies, sorted by name. This package's own peers are the user's. */
function closure(dependencies: Record<string, string>): string[] {
  const found = new Set<string>();
  const visit = (names: string[], from: string) => {
    for (const name of names) {
      const key = find(name, from);
      if (!key || found.has(key)) continue;

      found.add(key);
      const { dependencies, peerDependencies, peerDependenciesMeta: meta } = locked[key] ?? {};
      const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !meta?.[peer]?.optional);
      visit([...Object.keys(dependencies ?? {}), ...peers], key);
    }
  };

  visit(Object.keys(dependencies), "");

  return [...found].sort();
}

function bytes(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => lstatSync(path.join(directory, name)))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0);
}

describe("the installed dependencies", () => {
  const packages = closure(manifest.dependencies);
  const ofEmulator = closure(emulator.dependencies);

  it("are these, each with its reason in docs/contributing/development.md", () => {
    const names = packages.map((key) => key.split("node_modules/").at(-1));
    expect(names).toEqual(["commander", "undici", "yaml", "zod"]);

    const reasons = read("docs/contributing/development.md");
    for (const name of names) expect(reasons).toContain(`\`${name}\``);
  });

  it("include no peer: commands and client need none", () => {
    const peers = Object.keys(manifest.peerDependencies).map((name) => [name, { optional: true }]);
    expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(peers));
  });

  it("are no larger than docs/contributing/development.md says", () => {
    const sizes = packages.map((key) => bytes(path.join(root, key)));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(9_000_000);
  });

  it("have licences that ask for no more than to be passed on", () => {
    const licences = new Set([...packages, ...ofEmulator].map((key) => locked[key]?.license));
    const permissive = ["Apache-2.0", "BSD-3-Clause", "ISC", "MIT"];
    expect([...licences].filter((licence) => !permissive.includes(licence ?? ""))).toEqual([]);
  });

  it("run no install scripts", () => {
    expect([...packages, ...ofEmulator].filter((key) => locked[key]?.hasInstallScript)).toEqual([]);
  });
});

describe("the lockfile", () => {
  it("has the optional packages of every platform, because npm ci fails elsewhere without them", () => {
    const missing = Object.entries(locked).flatMap(([key, { optionalDependencies }]) =>
      key === "" ? [] : Object.keys(optionalDependencies ?? {}).filter((name) => !find(name, key)),
    );

    expect(missing).toEqual([]);
  });

  it("has a checksum of every package that is installed where a release is built", () => {
    const isInstalled = ({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: Locked) =>
      os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");

    const without = Object.entries(locked)
      .filter(([key, one]) => key.includes("node_modules/") && !one.link && isInstalled(one))
      .filter(([, { integrity }]) => integrity === undefined);

    expect(without.map(([key]) => key)).toEqual([]);
  });

  it("contains no registry host", () => {
    const fetched = Object.values(locked).filter(({ link }) => !link);
    expect(fetched.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
