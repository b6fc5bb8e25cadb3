/** The gate through which everything passes that is shown to people. */
import { oneLine } from "../common/text";

/** Longest text within a result: a name, a value, a message. */
const MAX_TEXT = 500;

/**
 * The same value with texts of one line, without what a terminal, a browser or a pipeline would
 * obey. After it, a format only escapes its own marks. JSON is not for people, and keeps the texts.
 */
export function printable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === "string" ? oneLine(part, MAX_TEXT) : part,
  );
}
