/**
 * Exit codes, output and signals of every subcommand.
 *
 * Exit codes are those of `terraform plan -detailed-exitcode`: 0 fine, 2 a verdict, 1 everything else. A crash of Node and
 * a command that `npx` does not find exit with 1 as well, so a check that never ran cannot be mistaken for a verdict.
 */

/** A verdict that needs attention. */
export const EXIT_VERDICT = 2;
/** Everything else: arguments, settings, a service that cannot be reached, a crash. */
export const EXIT_FAILURE = 1;

/** Writes lines to standard output. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Writes one line to standard error, in the form that the argument parser uses. */
export function printError(message: string): void {
  process.stderr.write(`error: ${message}\n`);
}

/** Resolves with the first SIGINT or SIGTERM. A second one kills the process. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}

/**
 * Handles errors of standard output. If the reader is gone, as with `head`, the work continues and its result is the exit
 * code. Any other error fails the command.
 */
export function guardOutput(): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    printError(`standard output could not be written (${code ?? "unknown error"}): check where it goes`);
    process.exit(EXIT_FAILURE);
  });
  // An error of standard error cannot be reported anywhere.
  process.stderr.on("error", () => undefined);
}

/** Makes an action's result the exit code. */
export function withExitCode<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<number>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    process.exitCode = await action(...given);
  };
}
