/** Decodes and compares the values of change records (interface.md, sections 2.2 and 2.3). */
import { comparable, parseJson } from "../common/text";

/** A DNS record as a change names it; `priority` for MX only. */
export interface DnsRecord {
  /** Name of the record, such as `@` or `www`. */
  host: string;

  /** Target or content of the record. */
  value: string;

  /** Seconds. */
  ttl: number;

  /** Preference, lowest first; for MX only. */
  priority?: number;
}

/**
 * The meaning of `oldValue` or `newValue` of a WHOIS change: the host names of `nameservers`, else
 * the string itself. Name servers that cannot be decoded are returned as the original string.
 */
export function decodeWhoisValue(
  fieldChanged: string,
  text: string | null,
): string[] | string | null {
  if (text === null || fieldChanged !== "nameservers") return text;
  const decoded = parseJson(text);

  return Array.isArray(decoded) && decoded.every((host) => typeof host === "string")
    ? decoded
    : text;
}

/**
 * The records in `oldValue` or `newValue` of a DNS change; null if the string cannot be decoded.
 */
export function decodeDnsValue(text: string | null): DnsRecord[] | null {
  const decoded = text === null ? undefined : parseJson(text);
  if (!Array.isArray(decoded)) return null;

  const records = decoded.map(toRecord);

  return records.every((record) => record !== undefined) ? records : null;
}

function toRecord(item: unknown): DnsRecord | undefined {
  // An object even if the item is null or a number.
  const { host, value, ttl, priority }: Record<string, unknown> = Object(item);
  if (typeof host !== "string" || typeof value !== "string" || typeof ttl !== "number")
    return undefined;

  return {
    host,
    value,
    ttl,
    ...(typeof priority === "number" ? { priority } : {}),
  };
}

/** A change's field, and its values as served. */
interface Values {
  fieldChanged: string;
  oldValue: string | null;
  newValue: string | null;
}

/** Records whose values are names or addresses: case and a final dot make no difference. */
const OF_NAMES = /^(a|aaaa|cname|mx|ns|ptr|srv|soa)_records$/;

/** Fields of WHOIS data that hold several values. */
const OF_LISTS = /name_?servers?|status/i;

/** Whether WHOIS values differ only in order, repetition, case, white space or final dots. */
export function isSameWhois({ fieldChanged, oldValue, newValue }: Values): boolean {
  const itemsOf = (text: string | null) => {
    const items = OF_LISTS.test(fieldChanged) ? listed(text ?? "") : [text ?? ""];
    return items.map(comparable).filter((item) => item !== "");
  };

  return isSameSet(itemsOf(oldValue), itemsOf(newValue));
}

/** The items of a JSON array, or of a text that separates them. */
function listed(text: string): string[] {
  const decoded = parseJson(text);
  const textOf = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));

  return Array.isArray(decoded) ? decoded.map(textOf) : text.split(/[\s,;]+/);
}

/**
 * Whether DNS records differ only in order, repetition, case and final dots of names, or quotes of
 * texts.
 */
export function isSameDns({ fieldChanged, oldValue, newValue }: Values): boolean {
  const before = decodeDnsValue(oldValue);
  const after = decodeDnsValue(newValue);
  if (!before || !after) return oldValue === newValue;

  const itemOf = ({ host, value, ttl, priority }: DnsRecord) => {
    const content = OF_NAMES.test(fieldChanged) ? comparable(value) : unquoted(value);
    return JSON.stringify([comparable(host), content, ttl, priority]);
  };

  return isSameSet(before.map(itemOf), after.map(itemOf));
}

function isSameSet(before: readonly string[], after: readonly string[]): boolean {
  const old = new Set(before);
  const now = new Set(after);
  return old.size === now.size && [...old].every((item) => now.has(item));
}

/** The strings of a TXT record, which may be quoted, as one. */
function unquoted(text: string): string {
  const isQuoted = /^\s*"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*\s*$/.test(text);
  if (!isQuoted) return text;

  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];

  return strings.map((string) => string.slice(1, -1).replace(/\\(.)/g, "$1")).join("");
}
