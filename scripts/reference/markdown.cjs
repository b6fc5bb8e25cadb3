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

/** A comment as Markdown in one paragraph. */
function prose(text) {
  return oneLine(text)
    .replace(/\{@link ([^}\s]+)\s*\}/g, "`$1`")
    .replace(
      /(?<![\w-])`?interface\.md`?((?:, sections? [\d.]*\d(?:(?:, | and )[\d.]*\d)*)?)/g,
      (_all, named) => {
        const sections = named.replace(/\d[\d.]*\d|\d/g, (number) => {
          if (!SECTIONS.has(number))
            throw new Error(
              `docs/contributing/interface.md has no section ${number}: correct the comment`,
            );
          return `[${number}](../contributing/interface.md#${SECTIONS.get(number)})`;
        });
        return `[interface.md](../contributing/interface.md)${sections}`;
      },
    );
}

function memberTable(members) {
  const rows = members.map((one) => {
    const byDefault = one.tags.find(({ name }) => name === "default");
    const throws = one.tags.filter(({ name }) => name === "throws");
    const description = [
      prose(one.text),
      ...(byDefault ? [`Default: ${prose(byDefault.text)}.`] : []),
      ...throws.map(({ text }) => `Throws ${prose(text)}.`),
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

module.exports = { memberTable };
