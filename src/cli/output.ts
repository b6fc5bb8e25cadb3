/**
 * Exit codes, output and the files that options name, of every subcommand. The codes are the same
 * as for `terraform plan -detailed-exitcode`: 0 fine, 2 a verdict, 1 everything else. A crash of
 * Node and a command that `npx` does not find exit with 1 as well, so a check that never ran cannot
 * be mistaken for a verdict.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { errorCode, oneLine } from "../common/text";
import { type Verdict, worst } from "../rules/expiry-rule";

/** A verdict that needs attention. */
export const EXIT_VERDICT = 2;
/** Everything else: arguments, settings, a service that cannot be reached, a crash. */
export const EXIT_FAILURE = 1;

/**
 * Exit code of the worst verdict, because a result for some domains must not look like one for all.
 */
export function exitCodeOf(judged: readonly { verdict: Verdict }[]): number {
  return EXIT_CODES[worst(judged)];
}

const EXIT_CODES = {
  pass: 0,
  warn: 0,
  fail: EXIT_VERDICT,
  unknown: EXIT_FAILURE,
};

/** Writes what is printable already. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Longest line; the longest ones are lists of names. */
const MAX_LINE = 4000;

/** Writes one line to standard error, whatever texts it has, in the form that the argument parser uses. */
export function printError(message: string): void {
  process.stderr.write(`error: ${oneLine(message, MAX_LINE)}\n`);
}

/**
 * If the reader of standard output is gone, as with `head`, the work continues. Any other error of
 * it fails the command.
 */
export function guardOutput(): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    printError(
      `standard output could not be written (${code ?? "unknown error"}): check where it goes`,
    );

    process.exit(EXIT_FAILURE);
  });

  // If stderr fails, there is nowhere left to report it.
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

/** In place of a file. */
export const STANDARD_OUTPUT = "-";

/** A text, and where it goes. */
interface Document {
  file: string;
  text: string;
}

/**
 * Writes documents, and the summary if none of them goes to standard output.
 * @throws Error with one line
 */
export async function deliver(documents: readonly Document[], summary: string): Promise<void> {
  for (const { file, text } of documents) {
    if (file === STANDARD_OUTPUT) process.stdout.write(text);
    else await writeWhole(file, text);
  }

  const files = documents.map(({ file }) => file);
  if (!files.includes(STANDARD_OUTPUT)) print(`${summary}; written to ${files.join(", ")}`);
}

/** Writes beside the file and renames it: the file is complete, or as it was before. */
async function writeWhole(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`${file} could not be written (${code}): check the path given to --output`);
  }
}

/** Reads the file that an option names; `-` where it may be standard input. @throws Error with one line */
export async function readGiven(file: string, option: string): Promise<string> {
  try {
    return decoded(await readFile(file));
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`${file} could not be read (${code}): check the path given to ${option}`);
  }
}

/** All of standard input. */
export async function readInput(): Promise<string> {
  return decoded(await buffer(process.stdin));
}

/** Byte order marks: Windows shells write UTF-16, or UTF-8 with one, to a redirected output. */
const ENCODINGS = [
  { encoding: "utf-16le", mark: [0xff, 0xfe] },
  { encoding: "utf-16be", mark: [0xfe, 0xff] },
];

function decoded(content: Buffer): string {
  const found = ENCODINGS.find(({ mark }) => content.subarray(0, 2).equals(Buffer.from(mark)));
  // The decoder removes the mark.
  return new TextDecoder(found?.encoding).decode(content);
}

/**
 * Prints problems as errors.
 * @param files where the result goes; on standard output, a terminal has shown them already
 */
export function printProblems(lines: readonly string[], files: readonly string[]): void {
  if (files.includes(STANDARD_OUTPUT) && process.stdout.isTTY) return;

  for (const line of lines) printError(line);
}
