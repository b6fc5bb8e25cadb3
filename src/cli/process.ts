/**
 * What every subcommand needs of the process it runs in.
 *
 * Exit codes are those of `terraform plan -detailed-exitcode`: 0 fine, 2 a verdict, 1 everything else. A crash of Node and
 * a command that `npx` does not find end with 1 as well, so a check that never ran cannot be taken for a verdict.
 */

/** A verdict that needs attention. */
export const EXIT_VERDICT = 2;
/** Anything that is neither fine nor a verdict: arguments, settings, a service that cannot be asked, a crash. */
export const EXIT_FAILURE = 1;

/** Writes lines to standard output. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Writes one line to standard error, in the form that the argument parser uses. */
export function printError(message: string): void {
  process.stderr.write(`error: ${message}\n`);
}

/** Resolves with the first signal that asks the process to end. A second one ends it the hard way. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}

/**
 * Keeps output that cannot be written from changing what is found out. A reader that has gone, such as `head`, ends nothing:
 * the work goes on, and its result is the exit code. Any other failure of standard output is a failure of the command.
 */
export function guardOutput(): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    printError(`standard output could not be written (${code ?? "unknown error"}): check where it goes`);
    process.exit(EXIT_FAILURE);
  });
  // Where standard error cannot be written, there is nowhere left to say so.
  process.stderr.on("error", () => undefined);
}

/** Makes an action's result the exit code. What goes wrong is said in one line, and is a failure. */
export function answering<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<number>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    try {
      process.exitCode = await action(...given);
    } catch (error) {
      printError(error instanceof Error ? error.message : String(error));
      process.exitCode = EXIT_FAILURE;
    }
  };
}
