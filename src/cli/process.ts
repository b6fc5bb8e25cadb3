/** What every subcommand needs of the process it runs in. */

/** The work could not be done. */
export const EXIT_FAILED = 1;
/** The command line was not understood. */
export const EXIT_USAGE = 2;

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
