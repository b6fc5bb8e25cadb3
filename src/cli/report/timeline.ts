/**
 * The timeline of a report: a row for each domain, with a bar to the end of its registration and a thin one to the end of
 * its certificate. Names are on the left and dates on the right, so that texts never overlap. Shapes and texts repeat what
 * the colors mean.
 */
import { toInstant, toInstantWithOffset } from "../../client/timestamps";
import { count } from "../../common/text";
import { DAY_MS } from "../../rules/days";
import { cut, escapeMarkup } from "../text";
import type { DomainReport, Report } from "./model";
import { type DatedTexts, type DomainGroup, summaryLine, textsOf, urgentFirst } from "./words";

const WIDTH = 980;
const PLOT = { from: 236, to: 762 };
const HEAD = 34;
const ROW = 40;
const FOOT = 10;
/** Half the widths of the labels "today" and "Jan 2027" plus a gap: a closer month has no label. */
const TODAY_GAP = 58;
/** Length of the line for a missing date. */
const MISSING = 72;

/**
 * An invisible element with the pattern of expired registrations. All pictures of a page use it, and what is in one that is
 * hidden would not be drawn.
 */
export const HATCH =
  '<svg class="defs" aria-hidden="true" xmlns="http://www.w3.org/2000/svg"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern></defs></svg>';

/** Renders a picture of a report, or of a group of it, as an inline SVG element, colored by the page's style sheet. */
export function renderTimeline(report: Report, group?: DomainGroup): string {
  const now = new Date(report.generatedAt);
  const domains = group?.domains ?? urgentFirst(report.domains);
  const name = group ? `timeline-${group.key}` : "timeline";
  const title = group?.heading ?? report.title;
  const summary = group ? count(domains.length, "domain") : summaryLine(report);
  const scale = timeScale(domains, now, report.minimumDays, PLOT.from, PLOT.to);
  const height = HEAD + domains.length * ROW + FOOT;
  const bottom = height - FOOT;
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="${name}-title ${name}-desc" xmlns="http://www.w3.org/2000/svg">`,
    `<title id="${name}-title">${escapeMarkup(title)}: when registrations and certificates expire</title>`,
    `<desc id="${name}-desc">${escapeMarkup(summary)}. A row for each domain, the most urgent first; the table below holds the same dates.</desc>`,
    ...domains.map((_, index) => stripe(index)),
    ...bound(scale, now, report.minimumDays, bottom),
    ...axis(scale, now, bottom),
    ...domains.map((domain, index) => row(domain, HEAD + index * ROW, scale, now)),
    "</svg>",
  ].join("\n");
}

function stripe(index: number): string {
  if (index % 2 === 1) return "";
  return `<rect class="stripe" x="0" y="${HEAD + index * ROW}" width="${WIDTH}" height="${ROW}" rx="4"/>`;
}

/** The days within which a registration may not end. */
function bound(scale: TimeScale, now: Date, minimumDays: number, bottom: number): string[] {
  const from = scale.position(now).x;
  const to = scale.position(new Date(now.getTime() + minimumDays * DAY_MS)).x;
  if (to <= from) return [];
  return [
    `<rect class="bound" x="${from}" y="${HEAD}" width="${(to - from).toFixed(1)}" height="${bottom - HEAD}"/>`,
  ];
}

function axis({ ticks, position }: TimeScale, now: Date, bottom: number): string[] {
  const here = position(now).x;
  const line = (kind: string, x: number, words: string) =>
    `<g class="${kind}"><line x1="${x}" y1="${HEAD - 10}" x2="${x}" y2="${bottom}"/>${words === "" ? "" : `<text x="${x}" y="${HEAD - 16}" text-anchor="middle">${words}</text>`}</g>`;
  return [
    ...ticks.map(({ x, label }) => line("tick", x, Math.abs(x - here) < TODAY_GAP ? "" : label)),
    line("today", here, "today"),
  ];
}

function row(domain: DomainReport, y: number, scale: TimeScale, now: Date): string {
  const { name, label, registration, certificate } = textsOf(domain);
  const nameY = label === "" ? y + 25 : y + 18;
  const dates = [registrationWords(domain, registration), certificateWords(domain, certificate)] as const;
  const words = [name, label, ...dates];
  return [
    "<g>",
    `<title>${escapeMarkup(words.filter((word) => word !== "").join(", "))}</title>`,
    `<text class="name" x="10" y="${nameY}">${escapeMarkup(cut(name, 29))}</text>`,
    label === "" ? "" : `<text class="note" x="10" y="${y + 33}">${escapeMarkup(cut(label, 33))}</text>`,
    registrationBar(domain, y, scale, now),
    certificateBar(domain, y, scale, now),
    `<text class="date ${domain.registration?.status ?? "unknown"}" x="${PLOT.to + 16}" y="${y + 18}">${escapeMarkup(dates[0])}</text>`,
    `<text class="note${certificateKind(domain) === "certificate" ? "" : " bad"}" x="${PLOT.to + 16}" y="${y + 33}">${escapeMarkup(dates[1])}</text>`,
    "</g>",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function registrationBar({ registration }: DomainReport, y: number, scale: TimeScale, now: Date): string {
  const bar = { y: y + 14, thickness: 10, kind: registration?.status ?? "unknown", scale, now };
  const drawn = renderBar(toInstant(registration?.expiresAt ?? ""), bar);
  if (drawn !== "") return drawn;
  const { x } = scale.position(now);
  return `<g class="missing"><line x1="${x + 6}" y1="${bar.y}" x2="${x + MISSING}" y2="${bar.y}"/><text x="${x + MISSING + 8}" y="${bar.y + 4}">?</text></g>`;
}

function certificateBar(domain: DomainReport, y: number, scale: TimeScale, now: Date): string {
  const bar = { y: y + 29, thickness: 4, kind: certificateKind(domain), scale, now };
  return renderBar(toInstantWithOffset(domain.certificate?.expiresAt ?? ""), bar);
}

function certificateKind({ certificate }: DomainReport): string {
  const { status = "unknown" } = certificate ?? {};
  return /^(expiring|expired|invalid|unreadable)$/.test(status) ? status : "certificate";
}

interface Bar {
  /** Vertical center. */
  y: number;
  thickness: number;
  kind: string;
  scale: TimeScale;
  now: Date;
}

/**
 * A bar between today and a date, ending in a circle, a diamond if it has expired, a cross if it is invalid, or an arrow if the
 * date is out of range.
 * Empty if the date cannot be parsed.
 */
function renderBar(instant: Date | undefined, { y, thickness, kind, scale, now }: Bar): string {
  if (!instant) return "";
  const here = scale.position(now).x;
  const { x, beyond } = scale.position(instant);
  const size = thickness / 2 + 3;
  const arrow = (length: number) => `<path d="M${x} ${y} l${-length} ${-size} v${size * 2} z"/>`;
  const direction = beyond === "before" ? -1 : 1;
  const end = beyond === undefined ? x : x - direction * size * 1.7;
  const marks: Record<string, string> = {
    expired: `<path d="M${x - size} ${y} l${size} ${-size} l${size} ${size} l${-size} ${size} z"/>`,
    invalid: `<path class="cross" d="M${x - size} ${y - size} l${size * 2} ${size * 2} m0 ${-size * 2} l${-size * 2} ${size * 2}"/>`,
  };
  const mark = marks[kind] ?? `<circle cx="${x}" cy="${y}" r="${size - 1}"/>`;
  return [
    `<g class="bar ${kind}">`,
    `<rect x="${Math.min(here, end).toFixed(1)}" y="${y - thickness / 2}" width="${Math.abs(end - here).toFixed(1)}" height="${thickness}"/>`,
    beyond === undefined ? mark : arrow(direction * size * 1.7),
    "</g>",
  ].join("");
}

function registrationWords({ registration }: DomainReport, { status, expires, left }: DatedTexts): string {
  if (!registration) return "not determined";
  if (registration.expiresAt === null) return "no expiry date yet";
  if (registration.daysLeft === null) return "expiry date unreadable";
  if (status === "expired") return `expired ${expires}`;
  return `${left} · ${expires}${status === "stale" ? " · stale" : ""}`;
}

function certificateWords({ certificate }: DomainReport, { status, expires, left }: DatedTexts): string {
  if (!certificate) return "";
  if (status === "unmonitored") return "certificate not monitored";
  if (status === "expired") return `certificate expired ${expires}`;
  if (status === "invalid") return "certificate found invalid";
  if (status === "unreadable") return "certificate date unreadable";
  return status === "unknown" ? "certificate not known" : `certificate ${left}`;
}

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
