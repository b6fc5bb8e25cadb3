/** Messages of an operation, and the error that shows them. */
import type { Diagnostic, StackResult, StackStep } from "./types";

/**
 * An operation on a stack failed. Its message is the error diagnostics, one after the other; then,
 * for readers of a test report, what was done until then and what program and provider printed
 * last.
 */
export class StackError extends Error {
  /** Always `StackError`. */
  override readonly name = "StackError";

  constructor(
    /** The result until it failed; the state is recorded as far as it came. */
    readonly result: StackResult,
  ) {
    const errors = messages(result.diagnostics, "error").join("\n");
    super([errors, ...circumstancesOf(result)].join("\n\n"));
  }
}

/** The steps, and the printed lines, that a message shows at most. */
const MAX_LINES = 10;

function circumstancesOf({ steps, diagnostics }: StackResult): string[] {
  const done = steps.filter(({ operation }) => operation !== "same").map(describeStep);
  const lists: [title: string, lines: string[]][] = [
    ["Done until then:", done],
    ["Warnings:", messages(diagnostics, "warning")],
    ["Printed by the program and its providers:", messages(diagnostics, "info")],
  ];

  return lists
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      [title, ...lines.slice(-MAX_LINES).map((line) => `  ${line}`)].join("\n"),
    );
}

function messages(diagnostics: readonly Diagnostic[], severity: Diagnostic["severity"]): string[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.severity === severity)
    .map(({ message }) => message);
}

/** A step in a few words: `replace mail (label)`. */
export function describeStep({ operation, name, changed }: StackStep): string {
  const why = operation === "update" || operation === "replace" ? changed.join(", ") : "";
  return `${operation} ${name}${why && ` (${why})`}`;
}

/** The messages of one operation, in the order in which they came. */
export class Diagnostics {
  readonly all: Diagnostic[] = [];

  add(severity: Diagnostic["severity"], message: string, urn?: string): void {
    const text = message.trimEnd();
    if (text === "") return;
    this.all.push({
      severity,
      message: text,
      ...(urn ? { urn } : {}),
    });
  }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A noun as it is with a number before it. */
export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
