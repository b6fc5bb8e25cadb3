/** The files that `npm run build:plugin` writes, and those that a release publishes. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { EXECUTABLE, PLUGIN_DIRECTORY, RELEASE_DIRECTORY } from "./support/plugin-process";

const { version }: { version: string } = require("../../package.json");
const NAME = path.basename(EXECUTABLE);

const TEXTS = ["LICENSE", "NOTICE", "THIRD-PARTY-NOTICES", "package.json", "schema.json"];
const FILES = [...TEXTS, NAME, `${NAME}.cmd`].sort();

function read(name: string): string {
  return readFileSync(path.join(PLUGIN_DIRECTORY, name), "utf8");
}

describe("the built plugin", () => {
  it("is one file of less than 2.5 MB that says nothing of the machine that it was built on", () => {
    const text = read(NAME);
    expect(text.length).toBeLessThan(2_500_000);
    expect(text).not.toContain(path.join(__dirname, "../.."));
    expect(text).not.toContain("sourceMappingURL");
    expect(statSync(EXECUTABLE).mode & 0o111).toBe(0o111);
    // An installation from this directory copies all of it.
    expect(readdirSync(PLUGIN_DIRECTORY).sort()).toEqual(FILES);
  });

  it("leaves nothing to be found in node_modules", () => {
    const calls = [...read(NAME).matchAll(/\brequire\("([^"]+)"\)/g)];
    const required = calls.map(([, name = ""]) => name);
    const others = required.filter((name) => !isBuiltin(name) && !name.startsWith("node:"));
    expect(required.length).toBeGreaterThan(20);
    expect(others).toEqual([]);
  });

  it("starts on Windows by a command file, in that system's line ends", () => {
    expect(read(`${NAME}.cmd`)).toMatch(
      /^@echo off\r\n[^\n]*\r\nnode "%~dp0pulumi-resource-domain-monitoring" %\*\r\n$/,
    );
  });

  it("names the licence of everything that is in it", () => {
    const notices = read("THIRD-PARTY-NOTICES");
    for (const name of ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "undici", "zod"])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, .+$`, "m"));

    expect(JSON.parse(read("schema.json"))).toMatchObject({ name: "domain-monitoring", version });
  });
});

describe("a release", () => {
  it("has a tarball for each platform by the name that the engine asks for, all with the same content", () => {
    const names = ["linux", "darwin", "windows"].flatMap((system) =>
      ["amd64", "arm64"].map((cpu) => `${NAME}-v${version}-${system}-${cpu}.tar.gz`),
    );
    expect(readdirSync(RELEASE_DIRECTORY).sort()).toEqual([...names].sort());

    const [first, ...others] = names.map((name) => readFileSync(`${RELEASE_DIRECTORY}/${name}`));
    for (const other of others) expect(first?.equals(other)).toBe(true);
  });

  it("unpacks to these files and no others, without owner and date", () => {
    const tarball = path.join(RELEASE_DIRECTORY, `${NAME}-v${version}-linux-amd64.tar.gz`);
    // GNU tar and BSD tar both list mode, owner and group, size, day and name.
    const options = { env: { ...process.env, TZ: "UTC", LC_ALL: "C" }, encoding: "utf8" } as const;
    const listed = execFileSync("tar", ["--numeric-owner", "-tvzf", tarball], options);
    const entries = listed.match(/\S.*\S/g) ?? [];
    expect(entries.map((line) => line.split(" ").at(-1)).sort()).toEqual(FILES);

    for (const line of entries) {
      expect(line).toMatch(line.endsWith(` ${NAME}`) ? /^-rwxr-xr-x / : /^-rw-r--r-- /);
      expect(line).toMatch(/^\S+ +(0\/0|\d+ 0 +0) .*\b1970\b/);
    }
  });
});
