/** Findings about changes: one for each field, whatever their number. Pure. */
import { groupBy, type NonEmpty, newestFirst } from "../common/order";
import { count } from "../common/text";
import { type ChangeKind, isSame, shownField } from "./fields";
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

  return [...fields.values()].map(changeFinding);
}

/** @param changes of one field, the newest first */
function changeFinding(changes: NonEmpty<KnownChange>): Finding {
  const [last] = changes;
  const first = changes.at(-1) ?? last;
  const { kind, fieldChanged: field, createdAt: at } = last;
  const { oldValue } = first.record;
  const { newValue } = last.record;
  const summary =
    changes.length === 1 ? last.summary : summaryFrom(kind, { ...last.record, oldValue });

  return finding({
    kind: kindOfField(kind, field),
    about: "changes",
    field,
    state: "unreviewed",
    text: `${countOf(changes)}, ${summary}`,
    at,
    ids: changes.map(({ id }) => id),
    change: {
      kind,
      oldValue,
      newValue,
      changes: changes.map(({ id, createdAt }) => ({ id, createdAt })),
    },
  });
}

function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? "unreviewed change" : count(length, "unreviewed change");
}

/** @param net the last record with the old value of the first */
function summaryFrom(kind: ChangeKind, net: KnownChange["record"]): string {
  return isSame(kind, net)
    ? `${shownField(net.fieldChanged)}: as it was before the first`
    : summaryOf(net);
}

function kindOfField(kind: ChangeKind, field: string): Kind {
  const found = KINDS_OF_FIELDS.find((one) => one.of === kind && one.field.test(field));
  return found?.kind ?? "change";
}
