/** Writes a document to standard output, or to the file of `--output`. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { errorCode } from "../common/errors";
import { print } from "./process";

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
