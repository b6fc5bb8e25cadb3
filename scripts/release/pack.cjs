"use strict";
// Puts what a release publishes beside the plugin's tarballs in dist-release/: the npm packages,
// the plugin's SDK as the package of each language, and what npm package and plugin consist of
// (CycloneDX). Twice the same sources give twice the same bytes.
//
//     npm run build:plugin -- --standalone && npm run release -- pack
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { tarball } = require("../build-plugin/tar.cjs");
const { PACKAGES, root } = require("../packed.cjs");
const manifest = require("../../package.json");
const schema = require("../../src/plugin/schema.json");

const release = path.join(root, "dist-release");
/** Below the package, as the compiler looks for the SDK's types upwards. */
const sdks = path.join(root, "dist-sdks");

const run = (command, args, options) =>
  execFileSync(command, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
const npmPack = (directory) =>
  run("npm", ["pack", directory, "--silent", "--pack-destination", release]);

/** What the engine writes for a language, with the licence. */
function generate(language) {
  const plugin = path.join(root, "dist-plugin", "pulumi-resource-domain-monitoring");
  run("pulumi", ["package", "gen-sdk", plugin, "--language", language, "--out", sdks]);
  const directory = path.join(sdks, language);
  fs.copyFileSync(path.join(root, "LICENSE"), path.join(directory, "LICENSE"));
  return directory;
}

function nodejs() {
  const directory = generate("nodejs");
  run(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", directory]);
  // The compiled code looks for its version beside itself.
  const bin = path.join(directory, "bin");
  const { scripts: _, devDependencies: __, ...described } = require(
    path.join(directory, "package.json"),
  );
  fs.writeFileSync(path.join(bin, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  for (const name of ["README.md", "LICENSE"])
    fs.copyFileSync(path.join(directory, name), path.join(bin, name));
  npmPack(bin);
}

function python() {
  const directory = generate("python");
  const name = schema.language.python.packageName;
  fs.copyFileSync(path.join(directory, name, "README.md"), path.join(directory, "README.md"));
  // The earliest date that a wheel can have.
  const env = { ...process.env, SOURCE_DATE_EPOCH: "315532800" };
  // What builds it is pinned by its checksum, and not chosen by pip.
  const venv = path.join(sdks, "venv");
  run("python3", ["-m", "venv", venv]);
  const pip = (...args) =>
    run(path.join(venv, "bin/python"), ["-m", "pip", "--quiet", ...args], { env });
  pip(
    "install",
    "--require-hashes",
    "--no-deps",
    "--requirement",
    path.join(__dirname, "requirements.txt"),
  );
  pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", release, directory);
}

/** As the folder sdk/go of a tag. */
function go() {
  const directory = generate("go");
  const module = path.posix.dirname(schema.language.go.importBasePath);
  fs.writeFileSync(
    path.join(directory, "go.mod"),
    `module ${module}

go 1.25

require (
	github.com/blang/semver v3.5.1+incompatible
	github.com/pulumi/pulumi/sdk/v3 v${manifest.devDependencies["@pulumi/pulumi"]}
)
`,
  );
  const names = fs
    .readdirSync(directory, { recursive: true })
    .filter((name) => fs.statSync(path.join(directory, name)).isFile());
  const data = (name) => fs.readFileSync(path.join(directory, name));
  const files = names
    .sort()
    .map((name) => ({ name: `sdk/go/${name}`, data: data(name), mode: 0o644 }));
  const target = path.join(release, `pulumi-domain-monitoring-sdk-go-${manifest.version}.tar.gz`);
  fs.writeFileSync(target, tarball(files));
}

/**
 * What the npm package brings, and what is in the plugin's bundle, each as npm lists it; without
 * what differs from one call to the next. npm is asked for all of it: omitting development
 * dependencies would also omit packages that are needed at run time.
 */
function billsOfMaterials() {
  const listed = JSON.parse(
    run("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]),
  );
  delete listed.serialNumber;
  delete listed.metadata.timestamp;
  const own = { ...listed.metadata.component, name: manifest.name };
  const needs = new Map(listed.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const versioned = (name) =>
    needs.get(own["bom-ref"]).find((ref) => ref.replace(/@[^@]+$/, "") === name);
  const direct = Object.keys(manifest.dependencies).map(versioned);
  const all = new Set(direct);
  // Grows while it is walked through.
  for (const ref of all) for (const other of needs.get(ref)) all.add(other);
  writeBill(listed, own, { direct, all });

  const name = "pulumi-resource-domain-monitoring";
  const { "bom-ref": _, purl: __, ...described } = own;
  const plugin = {
    ...described,
    type: "application",
    name,
    "bom-ref": `${name}@${manifest.version}`,
  };
  const inside = bundled();
  writeBill(listed, plugin, { direct: inside, all: new Set(inside) });
}

function writeBill(listed, component, { direct, all }) {
  const components = listed.components.filter((one) => all.has(one["bom-ref"]));
  if (components.length !== all.size)
    throw new Error(`npm does not know all of ${[...all].join(", ")}`);
  const dependencies = [
    { ref: component["bom-ref"], dependsOn: direct },
    ...listed.dependencies
      .filter(({ ref }) => all.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => all.has(one)) })),
  ];
  const bill = { ...listed, metadata: { ...listed.metadata, component }, components, dependencies };
  const file = path.join(release, `${component.name}-${manifest.version}.cdx.json`);
  fs.writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
}

/**
 * What is in the bundle, by the notices that go with it; those of the standalone form name Node and
 * its parts, too.
 */
function bundled() {
  const notices = fs.readFileSync(path.join(root, "dist-plugin", "THIRD-PARTY-NOTICES"), "utf8");
  return [...notices.matchAll(/^-{72}\n(\S+) (\S+), /gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}

function main() {
  fs.rmSync(sdks, { recursive: true, force: true });
  for (const directory of PACKAGES) npmPack(path.join(root, directory));
  nodejs();
  python();
  go();
  billsOfMaterials();
  process.stdout.write(`${fs.readdirSync(release).join("\n")}\n`);
}

main();
