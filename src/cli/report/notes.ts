/** Notes of a report: what was skipped, and parts of the rules file without an effect. Pure. */
import { isField } from "../../rules/fields";
import { isNamed } from "../rules/binding";
import type { Layer, Rules } from "../rules/schema";
import type { Asked } from "./asked";
import type { Read } from "./read";
import { firstOf } from "./sections";

export function notesOf(asked: Asked, read: Read): string[] {
  const { selection, earlier, rules } = asked;

  return [
    ...selection.notes,
    ...(earlier?.notes ?? []),
    ...changesWithoutDate(rules),
    ...(read.isWhole ? [...emptyGroups(rules, read), ...ofLists(asked, read)] : []),
  ];
}

/** A rule for changes, and where it stands in the file. */
type Place = [name: string, changes: Layer["changes"]];

function placesOf({ changes, groups = {}, domains = {} }: Rules): Place[] {
  const placesIn = (key: string, layers: Record<string, Layer | undefined>) =>
    Object.entries(layers).map(
      ([name, layer]): Place => [`${key}.${name}.changes`, layer?.changes],
    );

  return [["changes", changes], ...placesIn("groups", groups), ...placesIn("domains", domains)];
}

function changesWithoutDate(rules: Rules): string[] {
  if (rules.changes) return [];

  return placesOf(rules)
    .filter(([, changes]) => changes)
    .map(([name]) => `${name} has no effect, because no changes are judged: add changes.since`);
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
function ofLists({ rules, bound }: Asked, { domains }: Read): string[] {
  const lists = domains.flatMap(({ changes }) => Object.values(changes));
  if (lists.length === 0 || lists.some(({ failure }) => failure)) return [];

  const all = lists.flatMap((list) => list.value?.all ?? []);
  const reviewed = bound.defaults.changes?.reviewed ?? [];

  return [
    ...unknownFields(rules, [...new Set(all.map(({ fieldChanged }) => fieldChanged)), ...KNOWN]),
    ...goneReviews(reviewed, new Set(all.map(({ id }) => id))),
  ];
}

/** Fields of the interface, and types of records: none of them need have changed yet. */
const KNOWN = [
  ...["registrar", "nameservers", "status"],
  ...["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA", "NS"],
];

function unknownFields(rules: Rules, known: readonly string[]): string[] {
  const lists = placesOf(rules).flatMap(([name, changes]) => [
    { name: `${name}.fields`, fields: changes?.fields ?? [] },
    { name: `${name}.ignoreFields`, fields: changes?.ignoreFields ?? [] },
  ]);

  const isUnknown = (name: string) => !known.some((field) => isField(name, field));

  return lists
    .map(({ name, fields }) => ({ name, unknown: fields.filter(isUnknown) }))
    .filter(({ unknown }) => unknown.length > 0)
    .map(
      ({ name, unknown }) =>
        `${name} has fields that no list has: ${firstOf(unknown)}: correct or remove them`,
    );
}

function goneReviews(reviewed: readonly string[], listed: ReadonlySet<string>): string[] {
  const gone = reviewed.filter((id) => !listed.has(id));
  if (gone.length === 0) return [];

  return [`changes.reviewed lists ids that no longer exist: remove ${firstOf(gone)}`];
}
