/** Fits the parts of a document into a limited number of bytes, each cut at its end. */

/** Lines of one kind, the most important first. */
export interface Part {
  /** Lines before the others, such as a heading. They count, and are not cut. */
  head: string[];
  lines: string[];
  /** Lines after the others. */
  foot?: string[];
  /** The line in place of so many that were cut. */
  more: (cut: number) => string;
  /** Share of the budget that no other part takes, from 0 to 1. */
  share: number;
}

/** Bytes of these lines as UTF-8, each with its line break: never fewer than characters. */
export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/**
 * The lines of all parts in their order, together at most `budget` bytes if the heads fit. A part that needs less than its share
 * leaves the rest to the others, the first of them before the next.
 */
export function fitInto(parts: readonly Part[], budget: number): string[] {
  const shown = parts.filter(({ lines }) => lines.length > 0);
  const sizes = shown.map(({ head, lines, foot = [] }) => sizeOf([...head, ...lines, ...foot]));
  const granted = shown.map(({ share }, index) => Math.min(sizes[index] ?? 0, Math.floor(share * budget)));
  let rest = budget - granted.reduce((sum, bytes) => sum + bytes, 0);
  return shown.flatMap((part, index) => {
    const extra = Math.min((sizes[index] ?? 0) - (granted[index] ?? 0), rest);
    rest -= extra;
    return cutTo(part, (granted[index] ?? 0) + extra);
  });
}

function cutTo({ head, lines, foot = [], more }: Part, bytes: number): string[] {
  let room = bytes - sizeOf([...head, ...foot]);
  if (sizeOf(lines) <= room) return [...head, ...lines, ...foot];
  room -= sizeOf([more(lines.length)]);
  const kept: string[] = [];
  for (const line of lines) {
    room -= sizeOf([line]);
    if (room < 0) break;
    kept.push(line);
  }
  return [...head, ...kept, more(lines.length - kept.length), ...foot];
}
