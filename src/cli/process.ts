/** What every subcommand needs of the process it runs in. */

/** The work could not be done, or what was checked is not as it should be. */
export const EXIT_FAILED = 1;
/** The command line was not understood. */
export const EXIT_USAGE = 2;
/** What was asked could not be told, in whole or in part: it is neither a yes nor a no. */
export const EXIT_UNTOLD = 2;

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

/** A reader that stops reading, such as `head`, is no failure: the process ends with the exit code it has. */
export function endQuietlyWithoutReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    throw error;
  });
}

/**
 * Makes an action's result the exit code. What goes wrong is said in one line and told apart from a finding: a pipeline
 * must be able to see that nothing was found out.
 */
export function answering<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<number>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    try {
      process.exitCode = await action(...given);
    } catch (error) {
      printError(error instanceof Error ? error.message : String(error));
      process.exitCode = EXIT_UNTOLD;
    }
  };
}
