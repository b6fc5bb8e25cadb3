/** The file that keeps an emulator's data over a restart. It holds destinations, so only its owner may read it. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { errorCode } from "../../../common/errors";
import { channelSeed, dnsSeed, sslSeed, whoisSeed } from "./schemas";
import type { Snapshot } from "./store";

const FORMAT = 1;

const instant = z.iso.datetime().transform((text) => new Date(text));
const count = z.int().min(0).optional();

const change = z.strictObject({
  id: z.string(),
  identifier: z.string(),
  fieldChanged: z.string(),
  oldValue: z.string().nullable(),
  newValue: z.string().nullable(),
  createdAt: z.string(),
});

const domain = z.strictObject({
  id: z.string(),
  number: z.int().min(1),
  domain: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  colour: z.string().nullable(),
  provider: z.string().nullable(),
  expiresAt: z.string().nullable(),
  checkedAt: instant.nullable(),
  createdAt: instant,
  editedAt: instant.nullable(),
  components: z.strictObject({ whois: whoisSeed, dns: dnsSeed, ssl: sslSeed }),
  changes: z.strictObject({ whois: z.array(change), dns: z.array(change) }),
});

const channel = channelSeed.required().extend({ domainId: z.string() });

const content: z.ZodType<Snapshot & { format: typeof FORMAT }> = z.strictObject({
  format: z.literal(FORMAT),
  domains: z.array(domain),
  channels: z.array(channel),
  issuedIds: z.strictObject({
    domain: count,
    change: count,
    changeIdentifier: count,
    channel: count,
    request: count,
  }),
});

/**
 * Reads the file; undefined where there is none yet.
 *
 * @throws Error that names the file, the problem and the fix, and quotes no content
 */
export function readState(file: string): Snapshot | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const read = content.safeParse(jsonIn(text));
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
export function writeState(file: string, snapshot: Snapshot): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify({ format: FORMAT, ...snapshot })}\n`, { flag: "wx", mode: 0o600 });
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
