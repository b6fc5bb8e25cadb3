"use strict";
// The licences of the packages that are in a bundle, from what the bundler says it has read.
const fs = require("node:fs");
const path = require("node:path");

/** @param inputs {string[]} paths of the bundled files, relative to `root` */
function notices(root, inputs) {
  const directories = [...new Set(inputs.map(packageOf).filter(Boolean))].sort();
  const texts = directories.map((directory) => notice(path.join(root, directory)));
  return `This plugin holds code of the following packages.\n\n${texts.join("\n")}`;
}

/** The innermost package that a file belongs to; undefined for our own. */
function packageOf(file) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function notice(directory) {
  const { name, version, license } = require(path.join(directory, "package.json"));
  const files = fs
    .readdirSync(directory)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort();
  if (license === undefined || files.length === 0)
    throw new Error(`${name} is bundled but has no licence file`);
  const texts = files.map((file) =>
    fs.readFileSync(path.join(directory, file), "utf8").replace(/\r\n/g, "\n").trim(),
  );
  return `${"-".repeat(72)}\n${name} ${version}, ${license}\n\n${texts.join("\n\n")}\n`;
}

module.exports = { notices };
