/** Figures of several rounds, and how they are written. */

/** The middle of the values; the mean of the two in the middle where their number is even. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `median (minimum to maximum)`, or the median alone where there is one value. */
export function spread(values, digits) {
  if (values.length === 0) return "not measured";
  const text = (value) => value.toFixed(digits);
  if (values.length === 1) return text(values[0]);
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

/**
 * The values of one list divided by those of another, round by round: what was measured side by
 * side.
 */
export function ratios(values, references) {
  const rounds = Math.min(values.length, references.length);
  return values.slice(0, rounds).map((value, round) => value / references[round]);
}

/** The list turned by so many places, so that nobody is always first. */
export function rotated(list, places) {
  const from = places % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}
