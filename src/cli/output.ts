/** Writes a document to standard output, or to the file of `--output`. */
import { writeFile } from "node:fs/promises";
import { errorCode } from "../client/internal/redact";
import { print } from "./process";

/** Where a document goes. */
export interface Destination {
  /** @default standard output */
  file: string | undefined;
  /** Whether to refuse a file that exists. @default false */
  keepsExisting?: boolean;
  /** Printed in place of a document that goes to a file. */
  summary: string;
}

/** Writes the document. @throws Error with one line */
export async function deliver(
  text: string,
  { file, keepsExisting = false, summary }: Destination,
): Promise<void> {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(file, text, { flag: keepsExisting ? "wx" : "w" });
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(
      code === "EEXIST"
        ? `${file} exists already and may have been edited: give another file to --output`
        : `${file} could not be written (${code}): check the path given to --output`,
    );
  }
  print(`${summary}; written to ${file}`);
}
