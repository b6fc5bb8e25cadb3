"use strict";
// Whose package it is, in one place: `repository`, `homepage`, `publisher` and `logo` of
// package.json. The schema, the names of the packages of other languages and the pages of the
// registry follow from it.
//
//     npm run release -- owner NAME      writes a name everywhere
const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "../..");

/**
 * Stands for an owner that is not known yet. It can be nobody's name, as GitHub's have no
 * underscores.
 */
const PLACEHOLDER = "REPLACE_WITH_OWNER";

/** What an account of GitHub may be called. */
const NAME = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i;

/** What follows from package.json; see Pulumi's package schema for the meaning of each. */
function identityOf({ repository, homepage, publisher, logo }) {
  const url = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const [owner, name] = new URL(url).pathname.slice(1).split("/");
  return {
    owner,
    slug: `${owner}/${name}`,
    repository: url,
    homepage,
    publisher,
    logoUrl: logo,
    pluginDownloadURL: `github://api.github.com/${owner}/${name}`,
    goModule: `github.com/${owner}/${name}/sdk/go`,
    rootNamespace: owner
      .split("-")
      .map((word) => word[0].toUpperCase() + word.slice(1))
      .join(""),
    basePackage: javaPackage(owner),
  };
}

function javaPackage(owner) {
  return `io.github.${owner.toLowerCase().replaceAll("-", "_")}`;
}

/**
 * Every place that has the placeholder, as `FILE:LINE`, without what git ignores. This file only
 * defines it.
 */
function places(directory = root) {
  const args = ["grep", "--untracked", "--line-number", "--ignore-case", PLACEHOLDER];
  const others = [".", ":!scripts/release/owner.cjs"];
  const options = { cwd: directory, encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY };
  const { status, stdout, stderr, error } = spawnSync("git", [...args, "--", ...others], options);
  // 1 is for no match.
  if (status !== 0 && status !== 1) throw error ?? new Error(stderr.trim());
  return stdout.split("\n").flatMap((line) => /^.+?:\d+(?=:)/.exec(line) ?? []);
}

/**
 * Writes a name in place of the placeholder, in every file. What is generated has to be generated
 * anew.
 */
function fillIn(owner) {
  if (!NAME.test(owner)) throw new Error(`${JSON.stringify(owner)} is not the name of an account`);
  for (const file of new Set(places().map((place) => place.replace(/:\d+$/, "")))) {
    const target = path.join(root, file);
    const text = fs.readFileSync(target, "utf8").replaceAll(PLACEHOLDER, owner);
    fs.writeFileSync(target, text.replaceAll(javaPackage(PLACEHOLDER), javaPackage(owner)));
  }
}

if (require.main === module) {
  const [owner] = process.argv.slice(2);
  try {
    fillIn(owner ?? "");
    for (const step of ["schema", "docs"])
      execFileSync(process.execPath, [path.join(root, "scripts/steps.cjs"), "generate", step], {
        stdio: "inherit",
      });
  } catch (error) {
    process.stderr.write(`release: ${error.message}: npm run release -- owner NAME\n`);
    process.exitCode = 1;
  }
}

module.exports = { identityOf, places };
