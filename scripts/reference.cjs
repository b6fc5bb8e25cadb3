"use strict";
// Writes what pages in docs/ have of the declarations in src/ with their TSDoc, of the commands'
// help and of the plugin's schema, between `<!-- members: Name -->` and `<!-- end -->`. The output
// depends only on the sources, not on the machine. `npm run generate -- docs` writes;
// test/docs/from-declarations.test.ts compares.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { readApi, root, undocumented } = require("./reference/declarations.cjs");
const { memberList, optionTable } = require("./reference/markdown.cjs");
const { PARTS } = require("./reference/registry.cjs");
const { program } = require("./plugin-schema/examples.cjs");
const schema = require("../src/plugin/schema.json");

const EMULATOR = path.join(
  root,
  "packages/domain-monitoring-emulator/bin/domain-monitoring-emulator.js",
);

/** What a hand-written page has between `<!-- KIND: NAME -->` and `<!-- end -->`, by kind. */
const WRITERS = {
  members: (name, { api }) =>
    fence("typescript", memberList(declared(name, api).members.filter((one) => !one.isStatic))),
  "own members": (name, { api }) =>
    fence("typescript", memberList(declared(name, api).members.filter((one) => one.isOwn))),
  types: (name, { api, printed }) => fence("typescript", declared(name, api).types(printed)),
  /** The help of a command of the last build, without what commands have in common. */
  help: (name) => fence("text", helpOf(name).split("\n\nEnvironment variables:", 1)[0]),
  options: (name) => optionTable(helpOf(name)),
  /** The example of a resource or function in languages that it was run in. */
  samples: (name) =>
    ["python", "go", "java", "yaml"]
      .map((language) => fence(language, program(language, name, schema)))
      .join("\n\n"),
  registry: (name) => PARTS[name](),
};

/** What a command prints for --help. */
function helpOf(name) {
  const command = name === "emulator" ? [EMULATOR] : [path.join(root, "dist/cli/main.js"), name];
  return execFileSync(process.execPath, [...command, "--help"], { encoding: "utf8" });
}

const fence = (language, text) => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

/** The declaration of a name; `client/NAME` is the one that this entry point exports. */
function declared(place, api) {
  const [name, entry = ""] = place.split("/").reverse();
  const exported = api
    .filter((each) => each.name.endsWith(entry))
    .flatMap(({ declarations }) => declarations);
  const found = exported.find((one) => one.name === name);
  if (!found) throw new Error(`a page names ${place}, which no entry point exports`);
  return found;
}

/** Updates what a hand-written page has from the sources. */
function renew(text, sources) {
  return text.replace(
    /<!-- ([a-z ]+): ([\w/]+) -->\n.*?<!-- end -->/gs,
    (_all, kind, name) =>
      `<!-- ${kind}: ${name} -->\n${WRITERS[kind](name, sources)}\n<!-- end -->`,
  );
}

/** Everything that this script writes, by path from the root. */
function generate() {
  const api = readApi();
  // Interfaces that a page shows already.
  const printed = new Set();
  const pages = ["docs", "docs/reference", "packages/domain-monitoring-emulator"]
    .flatMap((directory) =>
      fs.readdirSync(path.join(root, directory)).map((name) => `${directory}/${name}`),
    )
    .filter((file) => file.endsWith(".md"))
    .map((file) => [file, renew(fs.readFileSync(path.join(root, file), "utf8"), { api, printed })]);
  return { written: new Map(pages), undocumented: undocumented(api) };
}

module.exports = { generate };

if (require.main === module) {
  const { written, undocumented: missing } = generate();
  for (const [file, text] of written) fs.writeFileSync(path.join(root, file), text);
  for (const name of missing) process.stderr.write(`no TSDoc: ${name}\n`);
}
