/** Findings about changes: one for each field, whatever their number. Pure. */
import { groupBy, newestFirst } from "../common/order";
import { count } from "../common/text";
import { type ChangeKind, isSameDns, isSameWhois, shownField } from "./fields";
import { type Finding, finding, type Kind } from "./finding";
import { type KnownChange, summaryOf } from "./reviewed-changes";

/** The fields by which a domain and its mail are controlled; the first match counts. */
const KINDS_OF_FIELDS: readonly { kind: Kind; of: ChangeKind; field: RegExp }[] = [
  { kind: "registrar", of: "whois", field: /registrar/i },
  { kind: "status", of: "whois", field: /status|lock/i },
  { kind: "nameservers", of: "whois", field: /name_?servers?/i },
  { kind: "nameservers", of: "dns", field: /^ns_records$/i },
  { kind: "mail", of: "dns", field: /^mx_records$/i },
];

/** A finding for each field of these changes, which nobody has reviewed. */
export function changeFindings(changes: readonly KnownChange[]): Finding[] {
  const fields = groupBy(changes.toSorted(newestFirst), ({ kind, fieldChanged }) =>
    JSON.stringify([kind, fieldChanged]),
  );

  return [...fields.values()].flatMap(changeFinding);
}

/** @param changes of one field, the newest first */
function changeFinding(changes: KnownChange[]): Finding[] {
  const [last] = changes;
  const first = changes.at(-1);
  if (!last || !first) return [];

  const { kind, fieldChanged: field, createdAt: at } = last;
  const { oldValue } = first.record;
  const { newValue } = last.record;
  const each = changes.map(({ id, createdAt }) => ({ id, createdAt }));

  return [
    finding({
      kind: kindOfField(kind, field),
      about: "changes",
      field,
      state: "unreviewed",
      text: textOf(changes, { ...last.record, oldValue }),
      at,
      ids: each.map(({ id }) => id),
      change: { kind, oldValue, newValue, changes: each },
    }),
  ];
}

function kindOfField(kind: ChangeKind, field: string): Kind {
  const found = KINDS_OF_FIELDS.find((one) => one.of === kind && one.field.test(field));
  return found?.kind ?? "change";
}

/** @param net the last record with the first old value */
function textOf(changes: readonly KnownChange[], net: KnownChange["record"]): string {
  const [last] = changes;
  if (changes.length === 1) return `unreviewed change, ${last?.summary}`;

  const isSame = last?.kind === "whois" ? isSameWhois(net) : isSameDns(net);
  const summary = isSame
    ? `${shownField(net.fieldChanged)}: as it was before the first`
    : summaryOf(net);

  return `${count(changes.length, "unreviewed change")}, ${summary}`;
}
