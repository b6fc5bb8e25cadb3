"use strict";
// Writes docs/api from the declarations in src/ and their TSDoc, and what the pages of docs/reference have of them between
// `<!-- members: Name -->` and `<!-- end -->`. The output depends only on the sources, not on the machine.
// `npm run generate -- docs` writes; test/docs/from-declarations.test.ts compares.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { readApi, root, undocumented } = require("./api-reference/declarations.cjs");
const { memberTable, paragraphs, prose } = require("./api-reference/markdown.cjs");

const KINDS = ["Classes", "Functions", "Constants", "Interfaces", "Types"];

/** One declaration as a section. */
function section(declaration, context) {
  const { name, text, tags, code, members, file } = declaration;
  const of = (wanted) => tags.filter((tag) => tag.name === wanted).map((tag) => tag.text);
  const parts = [`### ${name}`, paragraphs(text, context)];
  if (code.length > 0) parts.push(["```typescript", ...code, "```"].join("\n"));
  const parameters = of("param").map((param) => param.replace(/^(\S+)\s+-?\s*/, "`$1`: "));
  if (parameters.length > 0) parts.push(parameters.map((param) => `- ${prose(param, context)}`).join("\n"));
  if (members.length > 0) parts.push(memberTable(members, context));
  for (const thrown of of("throws")) parts.push(`Throws ${prose(thrown, context)}.`);
  for (const example of of("example"))
    parts.push(example.includes("```") ? example : `\`\`\`ts\n${example}\n\`\`\``);
  parts.push(`Declared in [\`${file}\`](../../${file}).`);
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Formats the text with the repository's formatter, including code blocks in Markdown. */
function formatted(text) {
  const biome = require.resolve("@biomejs/biome/bin/biome");
  const args = [biome, "format", "--stdin-file-path=docs/api/page.md"];
  return execFileSync(process.execPath, args, { cwd: root, input: text, encoding: "utf8", stdio: "pipe" });
}

/** Links to the declarations of these entry points, by the address of a page. */
function linkTo(entries, addressOf) {
  return (wanted) => {
    const found = entries.find(
      ({ page, declarations }) => page && declarations.some((one) => one.name === wanted),
    );
    return found ? `[\`${wanted}\`](${addressOf(found.page)}#${wanted.toLowerCase()})` : `\`${wanted}\``;
  };
}

/** The page of an entry point. */
function apiPage(entry, api) {
  const { name, page, comment, declarations } = entry;
  // A name that several entry points export is that of the page itself.
  const link = linkTo([entry, ...api], (other) => (other === page ? "" : `${other}.md`));
  const context = { from: "../", link };
  const parts = [
    `# \`${name}\``,
    "Written by `npm run generate -- docs` from the declarations and their comments; do not edit.",
    prose(comment, context),
  ];
  for (const kind of KINDS) {
    const some = declarations.filter((declaration) => declaration.kind === kind);
    if (some.length > 0) parts.push(`## ${kind}`, ...some.map((one) => section(one, context)));
  }
  return formatted(`${parts.join("\n\n")}\n`);
}

/** What a hand-written page has between `<!-- KIND: NAME -->` and `<!-- end -->`, by kind. */
const WRITERS = {
  members: (name, api) => ownTable(name, api, ({ isStatic }) => !isStatic),
  "own members": (name, api) => ownTable(name, api, ({ isOwn }) => isOwn),
  types: (name, api) => fence("typescript", declared(name, api).types()),
  /** The help of a command of the last build, without what commands have in common. */
  help: (name) => {
    const args = [path.join(root, "dist/cli/main.js"), name, "--help"];
    const help = execFileSync(process.execPath, args, { encoding: "utf8" });
    return fence("text", help.split("\n\nEnvironment variables:", 1)[0]);
  },
  /** The examples in the plugin's schema. */
  samples: (name) => {
    const { description } = require("../src/plugin/schema.json").resources[`domain-monitoring:index:${name}`];
    return ["python", "go", "yaml"]
      .map((language) => new RegExp(`\`\`\`${language}\n.*?\n\`\`\``, "s").exec(description)[0])
      .join("\n\n");
  },
};

const fence = (language, text) => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

function declared(name, api) {
  const found = api.flatMap(({ declarations }) => declarations).find((one) => one.name === name);
  if (!found) throw new Error(`docs/reference names ${name}, which no entry point exports`);
  return found;
}

function ownTable(name, api, wanted) {
  const link = linkTo(api, (page) => `../api/${page}.md`);
  return memberTable(declared(name, api).members.filter(wanted), { from: "../", link });
}

/** Updates what a hand-written page has from the sources. */
function renew(text, api) {
  return text.replace(
    /<!-- ([a-z ]+): (\w+) -->\n.*?<!-- end -->/gs,
    (_all, kind, name) => `<!-- ${kind}: ${name} -->\n${WRITERS[kind](name, api)}\n<!-- end -->`,
  );
}

/** Everything that this script writes, by path from the root. */
function generate() {
  const api = readApi();
  const pages = api.filter(({ page }) => page).map((one) => [`docs/api/${one.page}.md`, apiPage(one, api)]);
  const reference = fs.readdirSync(path.join(root, "docs/reference")).sort();
  for (const file of reference.map((name) => `docs/reference/${name}`))
    pages.push([file, renew(fs.readFileSync(path.join(root, file), "utf8"), api)]);
  return { written: new Map(pages), undocumented: undocumented(api) };
}

module.exports = { generate };

if (require.main === module) {
  const { written, undocumented: missing } = generate();
  fs.mkdirSync(path.join(root, "docs/api"), { recursive: true });
  for (const [file, text] of written) fs.writeFileSync(path.join(root, file), text);
  for (const name of missing) process.stderr.write(`no TSDoc: ${name}\n`);
}
