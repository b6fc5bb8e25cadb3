/** The order in which a change list is served. The interface leaves it open, so a client must not rely on any. */
import { seededFraction } from "./random";
import type { ListOrder } from "./types";

/** The items, which are kept newest first, in another order. */
export function ordered<Item extends { readonly id: string }>(
  items: readonly Item[],
  order: ListOrder,
): readonly Item[] {
  if (order === "newest-first") return items;
  if (order === "oldest-first") return [...items].reverse();
  // By a hash of the id: without order in time, and yet every page is cut from the same list.
  const rank = new Map(items.map((item) => [item, seededFraction(0, item.id, 0)]));
  return [...items].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}
