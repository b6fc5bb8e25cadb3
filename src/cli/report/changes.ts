/** The changes of a domain since a date, each described in one line. */
import { decodeDnsValue, decodeWhoisValue } from "../../client/change-values";
import type { Changes } from "../../client/changes";
import { toInstant } from "../../client/timestamps";
import type { DnsChange, WhoisChange } from "../../client/types";
import { newestChanges } from "../../functions/changes";
import { summarizeDnsChanges } from "../../rules/change-summary";
import type { ChangesReport, ReportedChange } from "./model";

/** Maximum number of changes of one kind in a report on a domain. */
const MAX_CHANGES = 1000;

/** Reads a change list. */
export async function readChanges<Change extends WhoisChange | DnsChange>(
  feed: Changes<Change>,
  domainId: string,
  since: string,
  describe: (change: Change) => string,
): Promise<ChangesReport> {
  const { matching, changes } = await newestChanges(feed.iterate(domainId), {
    since: toInstant(since),
    limit: MAX_CHANGES,
  });
  const reported = changes.map((change): ReportedChange => {
    const { id, fieldChanged, createdAt } = change;
    return { id, fieldChanged, createdAt, summary: describe(change) };
  });
  return { count: matching, changes: reported };
}

/** Such as `registrar: Former Registrar → Example Registrar`. */
export function describeWhois({ fieldChanged, oldValue, newValue }: WhoisChange): string {
  const value = (text: string | null) => {
    const decoded = decodeWhoisValue(fieldChanged, text);
    return (Array.isArray(decoded) ? decoded.join(", ") : decoded) || "nothing";
  };
  return `${fieldChanged}: ${value(oldValue)} → ${value(newValue)}`;
}

/** Such as `MX: added example.com mail.example.net (ttl 3600)`; the service's own summary if the values cannot be decoded. */
export function describeDns(change: DnsChange): string {
  const before = decodeDnsValue(change.oldValue);
  const after = decodeDnsValue(change.newValue);
  const [summary] = summarizeDnsChanges([{ ...change, before, after }]).types;
  const words = summary?.changes.filter(({ decoded }) => decoded).flatMap(({ text }) => text) ?? [];
  if (words.length > 0) return `${summary?.type}: ${words.join("; ")}`;
  const said = change.changeSummary || `${change.oldValue || "nothing"} → ${change.newValue || "nothing"}`;
  return `${summary?.type ?? change.fieldChanged}: ${said}`;
}
