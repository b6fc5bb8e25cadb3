/** Names in messages: Python has its own, and the engine does not tell a program's language. */
const schema: object = require("./schema.json");

/** Every name of the schema. Names of outputs do no harm. */
const NAMES = new Set(
  Array.from(JSON.stringify(schema).matchAll(/[":]([a-z]+[A-Z]\w*)":/g), ([, name]) => name),
);

/**
 * A line with both forms of each name, such as `minimumDays (minimum_days)`. Code and keys stay as
 * they are.
 */
export function inEveryLanguage(line: string): string {
  return line.replace(/(?<![\w:.`"-])[a-z]+[A-Z]\w*(?![\w(])/g, (name) =>
    NAMES.has(name) ? `${name} (${name.replace(/[A-Z]/g, "_$&").toLowerCase()})` : name,
  );
}
