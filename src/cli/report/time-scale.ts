/** The time axis of the timeline. */
import { toInstant, toInstantWithOffset } from "../../client/timestamps";
import { DAY_MS } from "../../rules/days";
import type { DomainReport } from "./model";

/** Dates beyond are shown at the edge, so that a registration of ten years does not compress the rest. */
const MAX_RANGE = { pastDays: 120, futureDays: 800 };
/** Minimum range, for a readable scale if all domains expire soon. */
const MIN_RANGE = { pastDays: 14, futureDays: 120 };
const MAX_TICKS = 9;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A mark on the axis. */
export interface Tick {
  x: number;
  label: string;
}

/** Position of an instant on the axis. */
export interface Position {
  x: number;
  /** Set if it is outside of the range; `x` is then the edge. */
  beyond?: "before" | "after";
}

/** Maps time to positions. */
export interface TimeScale {
  position(instant: Date): Position;
  ticks: Tick[];
}

/** The scale for these domains, from `from` to `to` in SVG units. */
export function timeScale(
  domains: readonly DomainReport[],
  now: Date,
  boundDays: number,
  from: number,
  to: number,
): TimeScale {
  const days = domains
    .flatMap(({ registration, certificate }) => [
      toInstant(registration?.expiresAt ?? ""),
      toInstantWithOffset(certificate?.expiresAt ?? ""),
    ])
    .filter((instant) => instant !== undefined)
    .map((instant) => (instant.getTime() - now.getTime()) / DAY_MS);
  const past = clamp(-Math.min(0, ...days), MIN_RANGE.pastDays, MAX_RANGE.pastDays);
  const soonest = Math.max(MIN_RANGE.futureDays, Math.min(boundDays * 1.5, MAX_RANGE.futureDays));
  const future = clamp(Math.max(0, ...days), soonest, MAX_RANGE.futureDays);
  const margin = (past + future) * 0.03;
  const start = now.getTime() - (past + margin) * DAY_MS;
  const end = now.getTime() + (future + margin) * DAY_MS;
  // To a tenth of a unit.
  const place = (time: number) =>
    Math.round((from + ((time - start) / (end - start)) * (to - from)) * 10) / 10;
  return {
    position: (instant) => {
      if (instant.getTime() < start) return { x: from, beyond: "before" };
      if (instant.getTime() > end) return { x: to, beyond: "after" };
      return { x: place(instant.getTime()) };
    },
    ticks: ticks(start, end).map(({ time, label }) => ({ x: place(time), label })),
  };
}

/** First days of months, as many as fit. */
function ticks(start: number, end: number): { time: number; label: string }[] {
  const months = (end - start) / DAY_MS / 30.4;
  const step = [1, 2, 3, 6, 12].find((candidate) => months / candidate <= MAX_TICKS) ?? 12;
  const first = new Date(start);
  const found: { time: number; label: string }[] = [];
  // Counted from January, so that steps of 3 are quarters.
  for (let month = 0; ; month += step) {
    const time = Date.UTC(first.getUTCFullYear(), month, 1);
    if (time > end) return found;
    const date = new Date(time);
    if (time >= start) {
      found.push({ time, label: `${MONTHS[date.getUTCMonth()] ?? ""} ${date.getUTCFullYear()}` });
    }
  }
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(maximum, Math.max(minimum, value));
}
