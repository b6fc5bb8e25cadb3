/**
 * The fields that change: their names, and whether two values of one differ in anything that
 * somebody has to look at.
 */
import { type DnsRecord, decodeDnsValue } from "../client/change-values";
import { comparable, parseJson } from "../common/text";

/** The component that a change belongs to. */
export type ChangeKind = "whois" | "dns";

/** The kinds of changes. */
export const CHANGE_KINDS: readonly ChangeKind[] = ["whois", "dns"];

/** `a_records` is shown as `A`: the label of the service for people may change by itself. */
export function shownField(fieldChanged: string): string {
  const name = /^([a-z0-9]+)_records$/.exec(fieldChanged)?.[1];
  return name === undefined ? fieldChanged : name.toUpperCase();
}

/** Whether a name in the rules, as on the wire or as shown, is this field. */
export function isField(name: string, fieldChanged: string): boolean {
  return comparableField(name) === comparableField(fieldChanged);
}

/** The form in which two names of a field are compared. */
function comparableField(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/_records$/, "");
}

/** A change's field, and its values as served. */
interface Values {
  fieldChanged: string;
  oldValue: string | null;
  newValue: string | null;
}

/** Records whose values are names or addresses: case and a final dot make no difference. */
const OF_NAMES = /^(a|aaaa|cname|mx|ns|ptr|srv)_records$/;

/** Its serial changes with every change of the zone, which is a change of its own. */
const SOA = "soa_records";

/** Fields of WHOIS data that hold several values. */
const OF_LISTS = /name_?servers?|status/i;

/** Whether the values of a change differ in nothing that somebody has to look at. */
export function isSame(kind: ChangeKind, values: Values): boolean {
  return kind === "whois" ? isSameWhois(values) : isSameDns(values);
}

/**
 * Whether WHOIS values differ only in order, repetition, case, whitespace or final dots; for a
 * registrar also in punctuation.
 */
function isSameWhois({ fieldChanged, oldValue, newValue }: Values): boolean {
  if (fieldChanged === "registrar") return isSameName(oldValue ?? "", newValue ?? "");

  const itemsOf = (text: string | null) => {
    const items = OF_LISTS.test(fieldChanged) ? listed(text ?? "") : [text ?? ""];
    return items.map(comparable).filter((item) => item !== "");
  };

  return isSameSet(itemsOf(oldValue), itemsOf(newValue));
}

/** Whether names of companies differ only in case, punctuation and spaces. */
export function isSameName(one: string, other: string): boolean {
  return comparableCompany(one) === comparableCompany(other);
}

/** A name of symbols alone stays as it is. */
function comparableCompany(name: string): string {
  const letters = name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  return letters || comparable(name);
}

/** The items of a JSON array, or of a string that separates them. */
function listed(text: string): string[] {
  const decoded = parseJson(text);
  const textOf = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));

  return Array.isArray(decoded) ? decoded.map(textOf) : text.split(/[\s,;]+/);
}

/**
 * Whether DNS records differ only in order, repetition, TTL, case and final dots of names, or
 * quotes of texts. A resolver counts a TTL down, so what it reports is not what was set.
 */
function isSameDns({ fieldChanged, oldValue, newValue }: Values): boolean {
  if (fieldChanged === SOA) return true;

  const before = decodeDnsValue(oldValue);
  const after = decodeDnsValue(newValue);
  if (!before || !after) return oldValue === newValue;

  const itemOf = ({ host, value, priority }: DnsRecord) => {
    const content = OF_NAMES.test(fieldChanged) ? comparable(value) : unquoted(value);
    return JSON.stringify([comparable(host), content, priority]);
  };

  return isSameSet(before.map(itemOf), after.map(itemOf));
}

function isSameSet(before: readonly string[], after: readonly string[]): boolean {
  const old = new Set(before);
  const now = new Set(after);
  return old.size === now.size && [...old].every((item) => now.has(item));
}

/** The strings of a TXT record joined into one; they may be quoted. */
function unquoted(text: string): string {
  const isQuoted = /^\s*"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*\s*$/.test(text);
  if (!isQuoted) return text;

  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];

  return strings.map((string) => string.slice(1, -1).replace(/\\(.)/g, "$1")).join("");
}
