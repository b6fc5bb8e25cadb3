/** Which changes of a domain nobody has reviewed yet, and what to say of them. Pure. */
import { decodeDnsValue, decodeWhoisValue } from "../client/change-values";
import type { DnsChange, WhoisChange } from "../client/types";
import { summarizeDnsChanges } from "./change-summary";
import { type ChangeKind, isField, isSame, shownField } from "./fields";

/** A change in one line. */
export interface DescribedChange {
  /** Id of the change. */
  id: string;

  /** Component that it belongs to. */
  kind: ChangeKind;

  /** Such as `nameservers` or `mx_records`. */
  fieldChanged: string;

  /** `SQL-TS`, taken as UTC. */
  createdAt: string;

  /** Old and new value in one line. */
  summary: string;
}

/** A change, and the record that it was made from. */
export interface KnownChange extends DescribedChange {
  record: WhoisChange | DnsChange;
}

/** A change as results have it. */
export function withoutRecord({ record: _record, ...described }: KnownChange): DescribedChange {
  return described;
}

/** Which changes have to be reviewed, and which were. */
export interface ReviewRule {
  /**
   * Fields whose changes have to be reviewed, as on the wire (`a_records`) or as shown (`A`).
   * @default every field
   */
  fields?: string[] | undefined;

  /** Ids of the changes that somebody has reviewed, kept in Git. @default none */
  reviewed?: string[] | undefined;
}

/** The changes that have to be reviewed and were not. */
export function unreviewedChanges<Change extends { id: string; fieldChanged: string }>(
  changes: readonly Change[],
  { fields, ignoreFields = [], reviewed = [] }: ReviewRule & { ignoreFields?: readonly string[] },
): Change[] {
  const known = new Set(reviewed);

  return changes.filter(({ id, fieldChanged }) => {
    const isThis = (name: string) => isField(name, fieldChanged);
    const isAsked = (fields?.some(isThis) ?? true) && !ignoreFields.some(isThis);
    return isAsked && !known.has(id);
  });
}

/**
 * A change in one line; undefined if nothing has changed that anybody has to look at, such as the
 * order of a set.
 */
export function describeChange(
  kind: ChangeKind,
  record: WhoisChange | DnsChange,
): KnownChange | undefined {
  if (isSame(kind, record)) return undefined;

  const { id, fieldChanged, createdAt } = record;

  return { id, kind, fieldChanged, createdAt, summary: summaryOf(record), record };
}

/** Old and new value in one line. */
export function summaryOf(record: WhoisChange | DnsChange): string {
  return "changeSummary" in record ? describeDns(record) : describeWhois(record);
}

/** Such as `registrar: Former Registrar → Example Registrar`. */
function describeWhois({ fieldChanged, oldValue, newValue }: WhoisChange): string {
  const value = (text: string | null) => {
    const decoded = decodeWhoisValue(fieldChanged, text);
    return (Array.isArray(decoded) ? decoded.join(", ") : decoded) || "nothing";
  };

  return `${fieldChanged}: ${value(oldValue)} → ${value(newValue)}`;
}

/**
 * Such as `MX: added @ mail.example.net (ttl 3600)`; the service's own summary if the values cannot
 * be decoded.
 */
function describeDns(change: DnsChange): string {
  const before = decodeDnsValue(change.oldValue);
  const after = decodeDnsValue(change.newValue);
  const field = shownField(change.fieldChanged);

  if (before && after) {
    const { types } = summarizeDnsChanges([{ ...change, before, after }]);
    const words = types.flatMap(({ changes }) => changes.flatMap(({ text }) => text));

    return `${field}: ${words.join("; ")}`;
  }

  const said =
    change.changeSummary || `${change.oldValue || "nothing"} → ${change.newValue || "nothing"}`;

  return `${field}: ${said}`;
}
