/** Says on standard error what could not be determined: a document goes to a file or a pipe, where they may go unnoticed. */
import { count } from "../common/text";
import type { Failure } from "./calls";
import { printError } from "./process";
import { plain } from "./text";

/** One thing that could not be determined of one domain. */
export interface Undetermined {
  /** Id of the domain. */
  id: string;
  /** Part of the domain that could not be determined; undefined for the domain itself. */
  what?: string;
  failure: Failure;
}

/** Maximum number of ids in a line. */
const MAX_NAMED = 5;

/**
 * One line for each cause, with the first domain that it concerns, and the others by their ids.
 * @param file the file of `--output`; without one, a terminal has shown the causes already
 */
export function printUndetermined(all: readonly Undetermined[], file: string | undefined): void {
  if (file === undefined && process.stdout.isTTY) return;
  const byCause = new Map<string, Undetermined[]>();
  for (const one of all) {
    const { kind, status, message } = one.failure;
    // What is wrong with a name is said of that name.
    const cause = JSON.stringify([one.what, kind, status, ...(kind === "validation" ? [message] : [])]);
    byCause.set(cause, [...(byCause.get(cause) ?? []), one]);
  }
  for (const [first, ...others] of byCause.values()) if (first) printError(line(first, others));
}

function line({ id, what, failure }: Undetermined, others: Undetermined[]): string {
  const text = plain(`domain ${id}${what ? `, ${what}` : ""}: ${failure.message}`, 500);
  if (others.length === 0) return text;
  const named = others.slice(0, MAX_NAMED).map((other) => plain(other.id, 40));
  const more = others.length > MAX_NAMED ? [`${count(others.length - MAX_NAMED, "other domain")}`] : [];
  return `${text} (the same for ${[...named, ...more].join(", ")})`;
}
