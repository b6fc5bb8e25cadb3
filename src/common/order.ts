/** Order and groups of results. */

/** A record with the date of its creation. */
interface Dated {
  id: string;
  createdAt: string;
}

/** By code unit, not by locale: the order must be the same on every machine. */
export function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Oldest first by `createdAt`, then `id`: the service's own order is not specified. */
export function byAge(a: Dated, b: Dated): number {
  return compare(a.createdAt, b.createdAt) || compare(a.id, b.id);
}

/** Newest first, as {@link byAge} turned around. */
export function newestFirst(a: Dated, b: Dated): number {
  return byAge(b, a);
}

/** Items of which there is at least one. */
export type NonEmpty<Item> = [Item, ...Item[]];

/** The items with equal keys, in the order of the first of each. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, NonEmpty<Item>> {
  const groups = new Map<Key, NonEmpty<Item>>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }

  return groups;
}
