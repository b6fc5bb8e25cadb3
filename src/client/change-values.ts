/** Decodes the values of change records (interface.md, sections 2.2 and 2.3). */
import { parseJson } from "../common/text";

/** A DNS record as a change names it. */
export interface DnsRecord {
  /** Name of the record, such as `@` or `www`. */
  host: string;

  /** Target or content of the record. */
  value: string;

  /** Seconds. */
  ttl: number;

  /** Preference, lowest first; for MX only. */
  priority?: number;

  /** Whatever else the service sent of the record, such as the tag of a CAA or the port of an SRV. */
  [field: string]: unknown;
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
  const { host, value, ttl, priority, ...others }: Record<string, unknown> = Object(item);
  if (typeof host !== "string" || typeof value !== "string" || typeof ttl !== "number")
    return undefined;

  return {
    host,
    value,
    ttl,
    ...(typeof priority === "number" ? { priority } : {}),
    ...others,
  };
}
