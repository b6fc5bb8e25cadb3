"use strict";
// Packs the package once per build, as packing takes seconds and several tests and checks need the tarball.
const { execFileSync } = require("node:child_process");
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const cache = path.join(root, "node_modules", ".cache");
const kept = path.join(cache, "packed");

/** The files that are packed or that decide what is packed; every build rewrites all files of dist/. */
const SOURCES = ["dist/index.js", "package.json", "README.md", "CHANGELOG.md", "LICENSE", "NOTICE"];

function isCurrent() {
  const description = path.join(kept, "npm.json");
  if (!existsSync(description)) return false;
  const { mtimeMs } = statSync(description);
  return SOURCES.every((file) => statSync(path.join(root, file)).mtimeMs < mtimeMs);
}

/** Packs into a temporary directory first, as two test files may do so at the same time. */
function pack() {
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(path.join(cache, "packing-"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", directory];
  const answer = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  writeFileSync(path.join(directory, "npm.json"), answer);
  rmSync(kept, { recursive: true, force: true });
  try {
    renameSync(directory, kept);
  } catch {
    // Another process was faster, with the same result.
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The tarball's path, with npm's list of files and sizes. */
function packed() {
  if (!isCurrent()) pack();
  const [description] = JSON.parse(readFileSync(path.join(kept, "npm.json"), "utf8"));
  return { ...description, tarball: path.join(kept, description.filename) };
}

module.exports = { packed };
