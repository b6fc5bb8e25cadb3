import type { Diagnostic, StackResult } from "./types";

/** An operation on a stack failed. Its message is the error diagnostics, one after the other. */
export class StackError extends Error {
  override readonly name = "StackError";

  constructor(
    /** What the operation did until it failed; the state is recorded as far as it came. */
    readonly result: StackResult,
  ) {
    const errors = result.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    super(errors.map((diagnostic) => diagnostic.message).join("\n"));
  }
}

/** The messages of one operation, in the order in which they came. */
export class Diagnostics {
  readonly all: Diagnostic[] = [];
  /** Whether the operation failed. An error that the program only logs is no failure. */
  failed = false;

  add(severity: Diagnostic["severity"], message: string, urn?: string): void {
    const text = message.trimEnd();
    if (text === "") return;
    this.all.push({ severity, message: text, ...(urn ? { urn } : {}) });
  }

  /** Reports what makes the operation fail. */
  fail(message: string, urn?: string): void {
    this.failed = true;
    this.add("error", message, urn);
  }
}
