/** Order of results. */

/** By code unit, not by locale: the order must be the same on every machine. */
export function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
