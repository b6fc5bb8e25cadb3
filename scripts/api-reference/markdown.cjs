"use strict";
// Comments and members as Markdown.
const fs = require("node:fs");
const path = require("node:path");
const { table } = require("../tables.cjs");
const { oneLine, root } = require("./declarations.cjs");

/** Anchors of the numbered sections of docs/contributing/interface.md that comments refer to. */
const SECTIONS = new Map(
  [
    ...fs
      .readFileSync(path.join(root, "docs/contributing/interface.md"), "utf8")
      .matchAll(/^#+ ([\d.]+) (.*)$/gm),
  ].map(([, number, title]) => [
    number.replace(/\.$/, ""),
    `${number} ${title}`
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  ]),
);

/** One paragraph of a comment as Markdown, with links to the declarations that it names. */
function prose(text, { from, link }) {
  return oneLine(text)
    .replace(/\{@link ([^}\s]+)\s*\}/g, (_all, name) => link(name))
    .replace(
      /(?<![\w-])`?interface\.md`?((?:, sections? [\d.]*\d(?:(?:, | and )[\d.]*\d)*)?)/g,
      (_all, named) => {
        const sections = named.replace(/\d[\d.]*\d|\d/g, (number) => {
          if (!SECTIONS.has(number))
            throw new Error(`docs/contributing/interface.md has no section ${number}: correct the comment`);
          return `[${number}](${from}contributing/interface.md#${SECTIONS.get(number)})`;
        });
        return `[interface.md](${from}contributing/interface.md)${sections}`;
      },
    );
}

/** A whole comment, with its paragraphs and list items. */
function paragraphs(text, context) {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const items = paragraph.split(/\n(?=- )/);
      return items.map((item) => prose(item, context)).join("\n");
    })
    .join("\n\n");
}

function memberTable(members, context) {
  const rows = members.map((one) => {
    const byDefault = one.tags.find(({ name }) => name === "default");
    const throws = one.tags.filter(({ name }) => name === "throws");
    const description = [
      prose(one.text, context),
      ...(byDefault ? [`Default: ${prose(byDefault.text, context)}.`] : []),
      ...throws.map(({ text }) => `Throws ${prose(text, context)}.`),
    ];
    const mark = one.isOptional ? "?" : "";
    return [
      `\`${one.isStatic ? "static " : ""}${one.name}${mark}\``,
      `\`${one.type}\``,
      description.join(" ").trim(),
    ];
  });
  return table(["member", "type", "meaning"], rows);
}

module.exports = { memberTable, paragraphs, prose };
