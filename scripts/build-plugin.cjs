"use strict";
// Bundles the provider plugin into dist-plugin/: one file that needs nothing but node, with the
// schema and the licences of all that is in it; and into dist-release/ as the tarballs of a
// release. Two builds of the same sources are the same byte for byte. With --standalone also into
// dist-standalone/, with Node inside, and into the tarball of the platform where that runs.
//
//     node scripts/build-plugin.cjs [--standalone]
const fs = require("node:fs");
const path = require("node:path");
const esbuild = require("esbuild");
const manifest = require("../package.json");
const { notices } = require("./build-plugin/notices.cjs");
const { executable, NODE_LICENSE, PLATFORM } = require("./build-plugin/standalone.cjs");
const { tarball } = require("./build-plugin/tar.cjs");

const root = path.join(__dirname, "..");
const NAME = "pulumi-resource-domain-monitoring";
const MISSING =
  "the domain-monitoring plugin needs Node 20.18.1 or newer, and there is no node on PATH that starts: install it";

/**
 * Shell and JavaScript in one. Without node the shell says so on standard output, which the engine
 * shows; without a line end, or it would be taken for a port. A version manager's node may be there
 * and not run.
 */
const HEAD = `#!/bin/sh
":" //; node --version >/dev/null 2>&1 && exec node "$0" "$@"; printf %s "${MISSING}"; exit 1
`;

/** Windows runs no file without an extension. */
const WINDOWS = `@echo off
node --version >nul 2>nul || (<nul set /p "=${MISSING}" & exit /b 1)
node "%~dp0${NAME}" %*
`.replace(/\n/g, "\r\n");

/**
 * Leaves out what is never used: gRPC's diagnostics, which bring another implementation of
 * protobuf, and zod's languages.
 */
const leaner = {
  name: "leaner",
  setup(build) {
    build.onResolve({ filter: /^@grpc\/proto-loader$/ }, () => ({
      path: "unused",
      namespace: "unused",
    }));
    build.onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "" }));
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path: file }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: path.dirname(file),
    }));
  },
};

/** What is installed, by name; `inputs` are the files that are in the bundle. */
async function contents() {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["src/plugin/main.ts"],
    bundle: true,
    write: false,
    outfile: NAME,
    metafile: true,
    platform: "node",
    // Lower than what it needs, so that an older Node can read the file and say so.
    target: "node16",
    minifyWhitespace: true,
    plugins: [leaner],
    banner: { js: HEAD },
    legalComments: "none",
    logLevel: "warning",
  });
  // Node would take a file without an extension for a module where a directory above says so.
  const scope = {
    name: NAME,
    version: manifest.version,
    license: manifest.license,
    type: "commonjs",
  };
  const inputs = Object.keys(metafile.inputs);
  const files = {
    [NAME]: outputFiles[0].contents,
    [`${NAME}.cmd`]: WINDOWS,
    LICENSE: fs.readFileSync(path.join(root, "LICENSE")),
    NOTICE: fs.readFileSync(path.join(root, "NOTICE")),
    "THIRD-PARTY-NOTICES": notices(root, inputs),
    "package.json": `${JSON.stringify(scope, null, 2)}\n`,
    "schema.json": fs.readFileSync(path.join(root, "src/plugin/schema.json")),
  };
  return { files, inputs };
}

/** A directory without anything in it. */
function fresh(directory) {
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory, { recursive: true });
  return directory;
}

/** Files with what tar says of them. Only the plugin itself is executed. */
function entriesOf(files) {
  return Object.entries(files).map(([name, text]) => ({
    name,
    data: Buffer.from(text),
    mode: name === NAME ? 0o755 : 0o644,
  }));
}

function write(directory, entries) {
  for (const { name, data, mode } of entries)
    fs.writeFileSync(path.join(directory, name), data, { mode });
}

/**
 * Writes it all. The tarballs lie beside the plugin, as an installation from a directory copies all
 * of it. An asset's name says the platform, so each has one form; the script is there for systems
 * like it, too, that lack its C library.
 */
async function buildPlugin({ standalone }) {
  const { files, inputs } = await contents();
  const [directory, release] = ["dist-plugin", "dist-release"].map((name) =>
    fresh(path.join(root, name)),
  );
  const script = entriesOf(files);
  write(directory, script);
  const packed = tarball(script);
  const publish = (suffix, data) =>
    fs.writeFileSync(path.join(release, `${NAME}-v${manifest.version}-${suffix}.tar.gz`), data);
  for (const system of ["linux", "darwin", "windows"])
    for (const processor of ["amd64", "arm64"]) publish(`${system}-${processor}`, packed);
  if (!standalone) return;
  const bundle = files[NAME].subarray(Buffer.byteLength(HEAD));
  const { "schema.json": schema, LICENSE, NOTICE } = files;
  const alone = entriesOf({
    [NAME]: executable(root, bundle),
    LICENSE,
    NOTICE,
    "THIRD-PARTY-NOTICES": notices(root, [...inputs, NODE_LICENSE]),
    "schema.json": schema,
  });
  write(fresh(path.join(root, "dist-standalone")), alone);
  publish(PLATFORM, tarball(alone));
  publish("script", packed);
}

buildPlugin({ standalone: process.argv.includes("--standalone") }).catch((error) => {
  process.stderr.write(`build:plugin: ${error.message}\n`);
  process.exitCode = 1;
});
