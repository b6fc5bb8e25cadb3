/** Notes of a report: what was skipped, and groups of the rules file without an effect. Pure. */
import { isNamed } from "../rules/binding";
import type { Rules } from "../rules/schema";
import type { Asked } from "./asked";
import type { Read } from "./read";
import { firstOf } from "./sections";

export function notesOf({ selection, rules }: Asked, read: Read): string[] {
  return [...selection.notes, ...(read.isWhole ? emptyGroups(rules, read) : [])];
}

function emptyGroups({ groups }: Rules, { domains }: Read): string[] {
  const known = domains.flatMap(({ domain }) => domain.value?.domain ?? []);
  const empty = groups.filter(({ names }) => !known.some((name) => isNamed(name, names)));

  return empty.map(
    ({ name, names }) =>
      `groups.${name} matches no domain (${firstOf(names)}): correct its names, or remove it`,
  );
}
