"use strict";
// Packs a package once per build, as packing takes seconds and several tests and checks need the
// tarball.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const cache = path.join(root, "node_modules", ".cache");

/** Where each package is that is published from here. */
const PACKAGES = [".", "packages/domain-monitoring-emulator", "packages/pulumi-offline"];

/**
 * The files that are packed or that decide what is packed; every build rewrites all files of dist/.
 */
const SOURCES = ["dist/index.js", "package.json", "README.md", "CHANGELOG.md", "LICENSE", "NOTICE"];

function isCurrent(directory, kept) {
  const description = path.join(kept, "npm.json");
  if (!fs.existsSync(description)) return false;
  const { mtimeMs } = fs.statSync(description);
  return SOURCES.every((file) => fs.statSync(path.join(root, directory, file)).mtimeMs < mtimeMs);
}

/** Packs into a temporary directory first, as two test files may do so at the same time. */
function pack(directory, kept) {
  fs.mkdirSync(cache, { recursive: true });
  const packing = fs.mkdtempSync(path.join(cache, "packing-"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", packing];
  const answer = execFileSync("npm", args, {
    cwd: path.join(root, directory),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  fs.writeFileSync(path.join(packing, "npm.json"), answer);
  fs.rmSync(kept, { recursive: true, force: true });
  try {
    fs.renameSync(packing, kept);
  } catch {
    // Another process was faster, with the same result.
    fs.rmSync(packing, { recursive: true, force: true });
  }
}

/** The path of a package's tarball, with npm's list of files and sizes. */
function packed(directory = ".") {
  const kept = path.join(cache, `packed-${PACKAGES.indexOf(directory)}`);
  if (!isCurrent(directory, kept)) pack(directory, kept);
  const [description] = JSON.parse(fs.readFileSync(path.join(kept, "npm.json"), "utf8"));
  return { ...description, tarball: path.join(kept, description.filename) };
}

/**
 * Lists the packed files that are not compiled from src/. Review the difference: every listed file
 * is published.
 */
function writeList() {
  const names = PACKAGES.flatMap((directory) =>
    packed(directory).files.map((file) => path.posix.join(directory, file.path)),
  ).filter((name) => !name.includes("dist/"));
  fs.writeFileSync(path.join(root, "test/package/pack-list.txt"), `${names.sort().join("\n")}\n`);
}

if (require.main === module) writeList();

module.exports = { PACKAGES, packed, root };
