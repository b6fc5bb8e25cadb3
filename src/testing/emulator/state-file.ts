/** A file in which an emulator's data survives a restart. It holds destinations, so only its owner may read it. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { Snapshot } from "./data";
import { dnsSeed, sslSeed, whoisSeed } from "./seed-schemas";

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

const channel = z.strictObject({
  id: z.string(),
  domainId: z.string(),
  label: z.string(),
  type: z.string(),
  typeHuman: z.string(),
  value: z.string().nullable(),
  secondaryValue: z.string().nullable(),
  whoisNotificationsEnabled: z.boolean(),
  dnsNotificationsEnabled: z.boolean(),
  sslNotificationsEnabled: z.boolean(),
  isProtected: z.boolean(),
  isDisabled: z.boolean(),
  disabledReason: z.string().nullable(),
  lastNotificationSentAt: z.string().nullable(),
  createdAt: z.string(),
});

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
 * What the file holds; undefined where there is no file yet.
 *
 * @throws Error that names the file, what is wrong with it and what to do, and quotes nothing of it
 */
export function readState(file: string): Snapshot | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const read = content.safeParse(jsonIn(text));
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join(".");
  const place = where ? ` (at ${where})` : "";
  throw new Error(
    `the file ${file} does not hold the state of an emulator${place}: name another file, or remove this one to begin anew`,
  );
}

/**
 * Writes all of it. Whoever reads the file, at whatever moment, finds the old state or the new one, and never a part.
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
      `the file ${file} cannot be written (${codeOf(error)}): name one in a directory that exists and is yours`,
    );
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Error(`the file ${file} cannot be read (${codeOf(error)}): name one that is yours to read`);
  }
}

/** Undefined for text that is no JSON: the parser's own message would quote it. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const coded = typeof error === "object" && error !== null && "code" in error;
  return coded ? String(error.code) : "unknown reason";
}
