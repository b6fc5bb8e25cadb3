"use strict";
// Members of a declaration, and the options of a command, as Markdown.
const { table } = require("../tables.cjs");
const { memberLines, oneLine } = require("./declarations.cjs");

/** A comment in one paragraph, without references to the service's interface. */
function prose(text) {
  return oneLine(text)
    .replace(/\{@link ([^}\s]+)\s*\}/g, "$1")
    .replace(/ \(`?interface\.md`?[^)]*\)/g, "");
}

/** The members with their comments, as code. */
function memberList(members) {
  return members
    .flatMap((one) => {
      const byDefault = one.tags.find(({ name }) => name === "default");
      const throws = one.tags.filter(({ name }) => name === "throws");
      const comment = [
        prose(one.text),
        ...(byDefault ? [`Default: ${prose(byDefault.text)}.`] : []),
        ...throws.map(({ text }) => `Throws ${prose(text)}.`),
      ];
      const text = `${one.name}${one.isOptional ? "?" : ""}: ${one.type};`;
      return memberLines(text, comment.join(" ").trim());
    })
    .join("\n");
}

/** The options in a command's help, without what every command has. */
function optionTable(help) {
  const [, options = ""] = /^Options:\n(.*?)\n\n/ms.exec(help) ?? [];
  const rows = [];
  for (const line of options.split("\n")) {
    const [, option, meaning] = /^ {2}(-\S.*?) {2,}(.*)$/.exec(line) ?? [];
    if (option) rows.push([`\`${option}\``, meaning]);
    else rows.at(-1)[1] += ` ${line.trim()}`;
  }
  const own = rows.filter(([option]) => !option.startsWith("`-h"));
  return table(["option", "meaning"], own);
}

module.exports = { memberList, optionTable };
