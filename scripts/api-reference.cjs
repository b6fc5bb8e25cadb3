"use strict";
// Writes docs/api from the declarations in src/ and their TSDoc, and the tables of members that other pages have between
// `<!-- members: Name -->` and `<!-- end of members -->`. The output depends only on the sources, not on the machine.
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

/** The pages by path from the root. */
function pages(api) {
  const published = api.filter(({ page }) => page !== undefined);
  return new Map(
    published.map(({ name, page, comment, declarations }) => {
      const own = new Set(declarations.map((declaration) => declaration.name));
      const elsewhere = (wanted) =>
        published.find((entry) => entry.declarations.some((one) => one.name === wanted));
      const link = (wanted) => {
        if (own.has(wanted)) return `[\`${wanted}\`](#${wanted.toLowerCase()})`;
        const other = elsewhere(wanted);
        return other ? `[\`${wanted}\`](${other.page}.md#${wanted.toLowerCase()})` : `\`${wanted}\``;
      };
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
      return [`docs/api/${page}.md`, formatted(`${parts.join("\n\n")}\n`)];
    }),
  );
}

/** Updates the tables of members in a hand-written page; `own members` are those that are not inherited. */
function renewTables(text, api, file) {
  const declarations = api.flatMap((entry) =>
    entry.declarations.map((one) => ({ ...one, page: entry.page })),
  );
  return text.replace(
    /(<!-- (own )?members: (\w+) -->\n).*?(<!-- end of members -->)/gs,
    (_all, begin, own, name, end) => {
      const found = declarations.find((declaration) => declaration.name === name);
      if (!found) throw new Error(`${file} asks for the members of ${name}, which no entry point exports`);
      const link = (wanted) => {
        const other = declarations.find(({ name, page }) => name === wanted && page !== undefined);
        return other ? `[\`${wanted}\`](../api/${other.page}.md#${wanted.toLowerCase()})` : `\`${wanted}\``;
      };
      const members = found.members.filter(({ isStatic, isOwn }) => !isStatic && (isOwn || !own));
      return `${begin}\n${memberTable(members, { from: "../", link })}\n\n${end}`;
    },
  );
}

/** Updates the output of a command's `--help` in a hand-written page; uses the last build. */
function renewHelp(text) {
  return text.replace(/(<!-- help: (\w+) -->\n).*?(<!-- end of help -->)/gs, (_all, begin, name, end) => {
    const command = path.join(root, "dist/cli/main.js");
    const help = execFileSync(process.execPath, [command, name, "--help"], { encoding: "utf8" });
    return `${begin}\n\`\`\`text\n${help.trim()}\n\`\`\`\n\n${end}`;
  });
}

/** Everything that this script writes, by path from the root. */
function generate() {
  const api = readApi();
  const written = pages(api);
  const folder = path.join(root, "docs/reference");
  for (const name of fs.readdirSync(folder).sort()) {
    const file = `docs/reference/${name}`;
    written.set(file, renewHelp(renewTables(fs.readFileSync(path.join(root, file), "utf8"), api, file)));
  }
  return { written, undocumented: undocumented(api) };
}

module.exports = { generate };

if (require.main === module) {
  const { written, undocumented: missing } = generate();
  fs.mkdirSync(path.join(root, "docs/api"), { recursive: true });
  for (const [file, text] of written) fs.writeFileSync(path.join(root, file), text);
  for (const name of missing) process.stderr.write(`no TSDoc: ${name}\n`);
}
