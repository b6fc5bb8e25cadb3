/** Which changes of a domain nobody has reviewed yet, and what to say of them. Pure. */
import { decodeDnsValue, decodeWhoisValue, isSameDns, isSameWhois } from "../client/change-values";
import type { DnsChange, WhoisChange } from "../client/types";
import { oneLine } from "../common/secrets";
import { count } from "../common/text";
import { summarizeDnsChanges } from "./change-summary";

/** The component that a change belongs to. */
export type ChangeKind = "whois" | "dns";

/** The kinds of changes. */
export const CHANGE_KINDS: readonly ChangeKind[] = ["whois", "dns"];

/** Fields by which a domain is controlled. */
const CONTROL = { whois: /registrar|name_?servers?|status/i, dns: /^ns_records$/ };

/** Whether a change of this field can be a step of a theft. */
export function isOfControl({
  kind,
  fieldChanged,
}: Pick<DescribedChange, "kind" | "fieldChanged">): boolean {
  return CONTROL[kind].test(fieldChanged);
}

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

/** Which changes have to be reviewed, and which were. */
export interface ReviewRule {
  /** Fields whose changes have to be reviewed, such as `nameservers`. @default every field */
  fields?: string[] | undefined;

  /** Ids of the changes that somebody has reviewed, kept in Git. @default none */
  reviewed?: string[] | undefined;
}

/** The changes that have to be reviewed and were not. */
export function unreviewedChanges<Change extends { id: string; fieldChanged: string }>(
  changes: readonly Change[],
  { fields, ignoreFields = [], reviewed = [] }: ReviewRule & { ignoreFields?: readonly string[] },
): Change[] {
  const known = new Set(reviewed.map((id) => id.toLowerCase()));

  return changes.filter(({ id, fieldChanged }) => {
    const isAsked = fields?.includes(fieldChanged) ?? !ignoreFields.includes(fieldChanged);
    return isAsked && !known.has(id.toLowerCase());
  });
}

/** A message names every change, so it may be long. */
const MAX_MESSAGE = 20_000;

/** The result for a domain in one line, which names each change. */
export function reviewMessage(domain: string, unreviewed: readonly DescribedChange[]): string {
  if (unreviewed.length === 0) return `${domain} has no change that has to be reviewed`;

  const each = unreviewed.map(({ id, createdAt, summary }) => `${summary} (${createdAt}, ${id})`);
  const found = `${domain} has ${count(unreviewed.length, "unreviewed change")}: ${each.join("; ")}`;

  return oneLine(`${found}. If they were intended, add their ids to reviewed`, MAX_MESSAGE);
}

/**
 * A change in one line; undefined if the sets before and after are equal, so that nothing has
 * changed.
 */
export function describeChange(
  kind: ChangeKind,
  change: WhoisChange | DnsChange,
): DescribedChange | undefined {
  if (kind === "whois" ? isSameWhois(change) : isSameDns(change)) return undefined;

  const { id, fieldChanged, createdAt } = change;
  const summary = "changeSummary" in change ? describeDns(change) : describeWhois(change);

  return { id, kind, fieldChanged, createdAt, summary };
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
  const [summary] = summarizeDnsChanges([{ ...change, before, after }]).types;
  const words = summary?.changes.filter(({ decoded }) => decoded).flatMap(({ text }) => text) ?? [];
  if (words.length > 0) return `${summary?.type}: ${words.join("; ")}`;

  const said =
    change.changeSummary || `${change.oldValue || "nothing"} → ${change.newValue || "nothing"}`;

  return `${summary?.type ?? change.fieldChanged}: ${said}`;
}
