/** Reads the files that options name. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { errorCode } from "../common/text";

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
