/** Notes of a report: what was skipped, and parts of the rules file without an effect. Pure. */
import { isField } from "../../rules/fields";
import { MISSING } from "../calls";
import { isNamed } from "../rules/binding";
import type { Layer, Rules } from "../rules/schema";
import type { Asked } from "./asked";
import type { Read } from "./read";
import { firstOf } from "./sections";

export function notesOf({ selection, earlier, rules }: Asked, read: Read): string[] {
  return [
    ...selection.notes,
    ...(earlier?.note ? [earlier.note] : []),
    ...changesWithoutDate(rules),
    ...(read.isWhole ? [...emptyGroups(rules, read), ...ofLists(rules, read)] : []),
  ];
}

/** The rules for changes of groups and domains, by where they stand. */
function narrowed({ changes, groups = {}, domains = {} }: Rules): [string, Layer["changes"]][] {
  const ofGroups = Object.entries(groups).map(
    ([name, group]) => [`groups.${name}`, group] as const,
  );
  const ofDomains = Object.entries(domains).map(([name, own]) => [`domains.${name}`, own] as const);

  return [
    ["changes", changes],
    ...[...ofGroups, ...ofDomains].map(([place, layer]): [string, Layer["changes"]] => [
      `${place}.changes`,
      layer?.changes,
    ]),
  ];
}

function changesWithoutDate(rules: Rules): string[] {
  if (rules.changes) return [];
  const places = narrowed(rules).flatMap(([place, changes]) => (changes ? [place] : []));

  return places.map(
    (place) => `${place} has no effect, because no changes are judged: add changes.since`,
  );
}

function emptyGroups({ groups = {} }: Rules, { domains }: Read): string[] {
  const names = domains.flatMap(({ domain }) => domain.value?.domain ?? []);
  const empty = Object.entries(groups).filter(
    ([, group]) => !names.some((name) => isNamed(name, group.names)),
  );

  return empty.map(
    ([name, group]) =>
      `groups.${name} matches no domain (${firstOf(group.names)}): correct its names, or remove it`,
  );
}

/** Names and ids in the rules that are in no list; known only if every list was read. */
function ofLists(rules: Rules, { domains }: Read): string[] {
  const lists = domains.flatMap(({ changes }) => Object.values(changes));
  const hasFailed = lists.some(({ failure }) => failure && failure.kind !== MISSING);
  if (hasFailed || lists.length === 0) return [];

  const all = lists.flatMap((list) => list.value?.all ?? []);

  return [
    ...unknownFields(rules, [...new Set(all.map(({ fieldChanged }) => fieldChanged)), ...KNOWN]),
    ...goneReviews(rules, new Set(all.map(({ id }) => id))),
  ];
}

/** Fields of the interface, and types of records: none of them need have changed yet. */
const KNOWN = [
  ...["registrar", "nameservers", "status"],
  ...["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA", "NS"],
];

function unknownFields(rules: Rules, known: readonly string[]): string[] {
  return narrowed(rules).flatMap(([place, changes]) =>
    (["fields", "ignoreFields"] as const).flatMap((list) => {
      const given = changes?.[list] ?? [];
      const unknown = given.filter((name) => !known.some((field) => isField(name, field)));
      const shown = firstOf(unknown);

      return unknown.length === 0
        ? []
        : [`${place}.${list} has fields that no list has: ${shown}: correct or remove them`];
    }),
  );
}

function goneReviews({ changes }: Rules, listed: ReadonlySet<string>): string[] {
  const gone = (changes?.reviewed ?? []).filter((id) => !listed.has(id));
  if (gone.length === 0) return [];

  return [`changes.reviewed lists ids that no longer exist: remove ${firstOf(gone)}`];
}
