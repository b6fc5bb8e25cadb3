/** What `npm run build:plugin` writes, and what a release publishes of it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { EXECUTABLE, PLUGIN_DIRECTORY, RELEASE_DIRECTORY as release } from "./support/plugin-process";

const { version }: { version: string } = require("../../package.json");
const NAME = path.basename(EXECUTABLE);
const FILES = [
  "LICENSE",
  "NOTICE",
  "THIRD-PARTY-NOTICES",
  "package.json",
  NAME,
  `${NAME}.cmd`,
  "schema.json",
].sort();

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
    const required = [...read(NAME).matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);
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
    const platforms = ["linux", "darwin", "windows"].flatMap((system) => [
      `${system}-amd64`,
      `${system}-arm64`,
    ]);
    const names = platforms.map((platform) => `${NAME}-v${version}-${platform}.tar.gz`);
    expect(readdirSync(release).sort()).toEqual([...names].sort());
    const [first, ...others] = names.map((name) => readFileSync(path.join(release, name)));
    for (const other of others) expect(first?.equals(other)).toBe(true);
  });

  it("unpacks to these files and no others, without owner and date", () => {
    const tarball = path.join(release, `${NAME}-v${version}-linux-amd64.tar.gz`);
    const entries = headers(gunzipSync(readFileSync(tarball)));
    expect(entries.map(({ name }) => name).sort()).toEqual(FILES);
    for (const { name, mode, owner, modified } of entries)
      expect({ mode, owner, modified }).toEqual({
        mode: name === NAME ? 0o755 : 0o644,
        owner: 0,
        modified: 0,
      });
    execFileSync("tar", ["-tzf", tarball]);
  });
});

/** The entries of a tar file. */
function headers(tar: Buffer) {
  const entries = [];
  for (let at = 0; tar[at] !== 0; ) {
    const text = (offset: number, length: number) =>
      tar.toString("latin1", at + offset, at + offset + length).replace(/\0.*$/, "");
    const number = (offset: number, length: number) => Number.parseInt(text(offset, length), 8);
    entries.push({
      name: text(0, 100),
      mode: number(100, 8),
      owner: number(108, 8),
      modified: number(136, 12),
    });
    at += 512 * (1 + Math.ceil(number(124, 12) / 512));
  }
  return entries;
}
