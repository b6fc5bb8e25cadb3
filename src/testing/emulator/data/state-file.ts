/** The file that keeps an emulator's data over a restart. It holds destinations, so only its owner may read it. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { errorCode } from "../../../common/errors";
import { type Snapshot, snapshot } from "./stored";

/**
 * Reads the file; undefined where there is none yet.
 *
 * @throws Error that names the file, the problem and the fix, and quotes no content
 */
export function readState(file: string): Snapshot | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const read = snapshot.safeParse(jsonIn(text));
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join(".");
  const place = where ? ` (at ${where})` : "";
  throw new Error(
    `the file ${file} does not hold the state of an emulator${place}: use another file, or remove this one to start over`,
  );
}

/**
 * Replaces the whole file atomically: readers find the old state or the new one, never a part.
 *
 * @throws Error that names the file and why it cannot be written
 */
export function writeState(file: string, data: Snapshot): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(data)}\n`, { flag: "wx", mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(
      `the file ${file} cannot be written (${errorCode(error) ?? "unknown reason"}): use a file in a directory that exists and that you may write to`,
    );
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new Error(
      `the file ${file} cannot be read (${errorCode(error) ?? "unknown reason"}): use a file that you may read`,
    );
  }
}

/** Undefined for text that is not JSON: the parser's own message would quote it. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
