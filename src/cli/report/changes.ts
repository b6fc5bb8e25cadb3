/** The changes of a domain since a date, and what each says in one line. */
import { decodeDnsValue, decodeWhoisValue } from "../../client/change-values";
import type { Changes } from "../../client/changes";
import { toInstant } from "../../client/timestamps";
import type { DnsChange, WhoisChange } from "../../client/types";
import { summarizeDnsChanges } from "../../functions/change-summary";
import type { ChangesReport, ReportedChange } from "./model";

/** The most changes of one kind that a report holds for a domain. */
const MOST = 1000;

/**
 * Reads a change list. The order of `functions/changes.ts`, which cannot be used here as it loads Pulumi: the interface
 * does not say how lists are ordered, so all of it is read.
 */
export async function readChanges<Change extends WhoisChange | DnsChange>(
  feed: Changes<Change>,
  domainId: string,
  since: string,
  describe: (change: Change) => string,
): Promise<ChangesReport> {
  const from = toInstant(since);
  const matching: Change[] = [];
  for await (const change of feed.iterate(domainId)) {
    // A date that cannot be read is no reason to hide a change.
    const at = toInstant(change.createdAt);
    if (!from || !at || at >= from) matching.push(change);
  }
  matching.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id));
  const changes = matching.slice(0, MOST).map(
    (change): ReportedChange => ({
      id: change.id,
      fieldChanged: change.fieldChanged,
      createdAt: change.createdAt,
      summary: describe(change),
    }),
  );
  return { count: matching.length, changes };
}

/** By code unit, not by locale: the order must be the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Such as `registrar: Former Registrar → Example Registrar`. */
export function describeWhois({ fieldChanged, oldValue, newValue }: WhoisChange): string {
  const value = (text: string | null) => {
    const decoded = decodeWhoisValue(fieldChanged, text);
    return (Array.isArray(decoded) ? decoded.join(", ") : decoded) || "nothing";
  };
  return `${fieldChanged}: ${value(oldValue)} → ${value(newValue)}`;
}

/** Such as `MX: added example.com mail.example.net (ttl 3600)`; the service's own words where the values do not decode. */
export function describeDns(change: DnsChange): string {
  const before = decodeDnsValue(change.oldValue);
  const after = decodeDnsValue(change.newValue);
  const [summary] = summarizeDnsChanges([{ ...change, before, after }]).types;
  const words = summary?.changes.filter(({ decoded }) => decoded).flatMap(({ text }) => text) ?? [];
  if (words.length > 0) return `${summary?.type}: ${words.join("; ")}`;
  const said = change.changeSummary || `${change.oldValue || "nothing"} → ${change.newValue || "nothing"}`;
  return `${summary?.type ?? change.fieldChanged}: ${said}`;
}
