/** Names in messages: Python writes them in another way, and the engine does not tell in which language a program is. */
const schema: object = require("./schema.json");

/** The schema's inputs and functions, with other names that do no harm. */
const NAMES = new Set(
  Array.from(JSON.stringify(schema).matchAll(/[":]([a-z]+[A-Z]\w*)":/g), ([, name]) => name),
);

/** A line with both forms of each name, such as `minimumDays (minimum_days)`. Code and keys stay as they are. */
export function inEveryLanguage(line: string): string {
  return line.replace(/(?<![\w:.`"-])[a-z]+[A-Z]\w*/g, (name) =>
    NAMES.has(name) ? `${name} (${name.replace(/[A-Z]/g, "_$&").toLowerCase()})` : name,
  );
}
