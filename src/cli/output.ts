/**
 * Exit codes, output and signals of every subcommand.
 *
 * Exit codes are those of `terraform plan -detailed-exitcode`: 0 fine, 2 a verdict, 1 everything else. A crash of Node and
 * a command that `npx` does not find exit with 1 as well, so a check that never ran cannot be mistaken for a verdict.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { errorCode } from "../common/errors";
import { count } from "../common/text";
import type { Failure } from "./calls";
import { plain } from "./text";

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

/** Destination of a document. */
export interface Destination {
  /** @default standard output */
  file: string | undefined;
  /** Whether to refuse a file that exists. @default false */
  keepsExisting?: boolean;
  /** Printed in place of a document that goes to a file. */
  summary: string;
}

/** Writes the document. A file has all of it or is as it was before. @throws Error with one line */
export async function deliver(
  text: string,
  { file, keepsExisting = false, summary }: Destination,
): Promise<void> {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  if (keepsExisting) refuseExisting(file);
  try {
    await replace(file, text);
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`${file} could not be written (${code}): check the path given to --output`);
  }
  print(`${summary}; written to ${file}`);
}

/** @throws Error with one line if there is something at this path */
export function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new Error(`${file} exists already and may have been edited: give another file to --output`);
}

/** Writes beside the file and renames, so that a full disk or a kill leaves no half of it. */
async function replace(file: string, text: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  // A device or a pipe, such as /dev/stdout, is written to.
  if (found && !found.isFile()) return writeFile(file, text);
  // A symbolic link stays one.
  const target = found ? await realpath(file) : file;
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { flag: "wx", mode: found?.mode });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

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
