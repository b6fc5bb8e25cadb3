/**
 * The timeline of a report: a row for each domain, with a bar to the end of its registration and a
 * thin one to the end of its certificate. Shapes and texts repeat what the colors mean.
 */
import { toInstant } from "../../client/timestamps";
import { count } from "../../common/text";
import { DAY_MS } from "../../rules/days";
import { escapeMarkup } from "../text";
import { type DomainGroup, urgentFirst } from "./groups";
import type { DomainReport, Report } from "./model";
import { type DatedTexts, summaryLine, TITLE, textsOf } from "./texts";

const WIDTH = 980;
const PLOT = { from: 236, to: 762 };
const HEAD = 34;
const ROW = 40;
const FOOT = 10;
/** Half the widths of the labels "today" and "Jan 2027" plus a gap: a closer month is left out. */
const TODAY_GAP = 58;
/** Length of the line for a missing date. */
const DATELESS = 72;

/**
 * The pattern of expired registrations, outside of the pictures that use it: in a hidden one it
 * would not be drawn.
 */
export const HATCH =
  '<svg class="defs" aria-hidden="true" xmlns="http://www.w3.org/2000/svg"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern></defs></svg>';

/**
 * A picture of a report, or of a group of it, as an inline SVG element, colored by the page's style
 * sheet.
 */
export function renderTimeline(report: Report, group?: DomainGroup): string {
  const now = new Date(report.generatedAt);
  const domains = group?.domains ?? urgentFirst(report.domains);
  const name = group ? `timeline-${group.key}` : "timeline";
  const title = group?.heading ?? TITLE;
  const summary = group ? count(domains.length, "domain") : summaryLine(report);
  const scale = timeScale(domains, now, report.minimumDays ?? 0);
  const height = HEAD + domains.length * ROW + FOOT;
  const bottom = height - FOOT;

  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="${name}-title ${name}-desc" xmlns="http://www.w3.org/2000/svg">`,
    `<title id="${name}-title">${escapeMarkup(title)}: when registrations and certificates expire</title>`,
    `<desc id="${name}-desc">${escapeMarkup(summary)}. A row for each domain; the tables below hold the same dates.</desc>`,
    ...domains.map((_, index) => stripe(index)),
    ...bound(scale, bottom),
    ...axis(scale, bottom),
    ...domains.map((domain, index) => row(domain, HEAD + index * ROW, scale)),
    "</svg>",
  ].join("\n");
}

function stripe(index: number): string {
  if (index % 2 === 1) return "";
  return `<rect class="stripe" x="0" y="${HEAD + index * ROW}" width="${WIDTH}" height="${ROW}" rx="4"/>`;
}

/** The days within which a registration may not end. */
function bound({ today, bound: to }: TimeScale, bottom: number): string[] {
  const width = (to - today).toFixed(1);
  const band = `<rect class="bound" x="${today}" y="${HEAD}" width="${width}" height="${bottom - HEAD}"/>`;

  return to > today ? [band] : [];
}

function axis({ ticks, today }: TimeScale, bottom: number): string[] {
  const line = (kind: string, x: number, words: string) =>
    `<g class="${kind}"><line x1="${x}" y1="${HEAD - 10}" x2="${x}" y2="${bottom}"/><text x="${x}" y="${HEAD - 16}" text-anchor="middle">${words}</text></g>`;

  return [...ticks.map(({ x, label }) => line("tick", x, label)), line("today", today, "today")];
}

function row(domain: DomainReport, y: number, scale: TimeScale): string {
  const { name, label, registration, certificate } = textsOf(domain);
  const words = [
    registrationWords(domain, registration),
    certificateWords(domain, certificate),
  ] as const;

  const title = [name, label, ...words].filter((word) => word !== "").join(", ");
  const status = domain.registration?.status ?? "unknown";
  const expires = endOf(domain.registration);
  const certificateExpires = endOf(domain.certificate);
  const kind = /^(expiring|expired|invalid|unreadable)$/.test(certificate.status)
    ? certificate.status
    : "certificate";

  const right = PLOT.to + 16;

  return [
    "<g>",
    `<title>${escapeMarkup(title)}</title>`,
    `<text class="name" x="10" y="${label === "" ? y + 25 : y + 18}">${escapeMarkup(shortened(name, 29))}</text>`,
    label === ""
      ? ""
      : `<text class="note" x="10" y="${y + 33}">${escapeMarkup(shortened(label, 33))}</text>`,
    expires
      ? bar(scale, expires, { kind: status, y: y + 14, thickness: 10 })
      : dateless(scale, y + 14),
    certificateExpires ? bar(scale, certificateExpires, { kind, y: y + 29, thickness: 4 }) : "",
    `<text class="date ${status}" x="${right}" y="${y + 18}">${escapeMarkup(words[0])}</text>`,
    `<text class="note${kind === "certificate" ? "" : " bad"}" x="${right}" y="${y + 33}">${escapeMarkup(words[1])}</text>`,
    "</g>",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function endOf(dated: { expiresAt: string | null } | null): Date | undefined {
  return toInstant(dated?.expiresAt ?? "");
}

/** In place of the bar of a registration whose date is not known. */
function dateless({ today }: TimeScale, y: number): string {
  const end = today + DATELESS;
  return `<g class="missing"><line x1="${today + 6}" y1="${y}" x2="${end}" y2="${y}"/><text x="${end + 8}" y="${y + 4}">?</text></g>`;
}

/**
 * A bar between today and a date, centered on `y`. It ends in a circle, a diamond if it has
 * expired, a cross if it is invalid, or an arrow if the date is out of range.
 */
function bar(
  { today, position }: TimeScale,
  instant: Date,
  { kind, y, thickness }: { kind: string; y: number; thickness: number },
): string {
  const { x, beyond } = position(instant);
  const size = thickness / 2 + 3;
  const arrow = (beyond === "before" ? -1.7 : 1.7) * size;
  const end = beyond === undefined ? x : x - arrow;
  const marks: Record<string, string> = {
    beyond: `<path d="M${x} ${y} l${-arrow} ${-size} v${size * 2} z"/>`,
    expired: `<path d="M${x - size} ${y} l${size} ${-size} l${size} ${size} l${-size} ${size} z"/>`,
    invalid: `<path class="cross" d="M${x - size} ${y - size} l${size * 2} ${size * 2} m0 ${-size * 2} l${-size * 2} ${size * 2}"/>`,
  };

  const mark =
    marks[beyond === undefined ? kind : "beyond"] ??
    `<circle cx="${x}" cy="${y}" r="${size - 1}"/>`;

  const left = Math.min(today, end).toFixed(1);
  const width = Math.abs(end - today).toFixed(1);

  return `<g class="bar ${kind}"><rect x="${left}" y="${y - thickness / 2}" width="${width}" height="${thickness}"/>${mark}</g>`;
}

function registrationWords(
  { registration }: DomainReport,
  { status, expires, left }: DatedTexts,
): string {
  if (!registration) return "not determined";
  if (registration.expiresAt === null) return "no expiry date";
  if (registration.daysLeft === null) return "expiry date unreadable";
  if (status === "expired") return `expired ${expires}`;

  return `${left} · ${expires}${status === "stale" ? " · stale" : ""}`;
}

function certificateWords(
  { certificate }: DomainReport,
  { status, expires, left }: DatedTexts,
): string {
  if (!certificate) return "";
  if (status === "ok" || status === "expiring") return `certificate ${left}`;

  return status === "expired" ? `certificate expired ${expires}` : `certificate ${status}`;
}

/**
 * Dates beyond are shown at the edge, so that a registration of ten years does not compress the
 * rest.
 */
const MAX_RANGE = { pastDays: 120, futureDays: 800 };
/** Minimum range, for a readable scale if all domains expire soon. */
const MIN_RANGE = { pastDays: 14, futureDays: 120 };
const MAX_TICKS = 9;

const MONTH = new Intl.DateTimeFormat("en", {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

type TimeScale = ReturnType<typeof timeScale>;

/** Maps the time around these domains' dates to the width of the plot. */
export function timeScale(domains: readonly DomainReport[], now: Date, boundDays: number) {
  const days = domains
    .flatMap(({ registration, certificate }) => [endOf(registration), endOf(certificate)])
    .filter((instant) => instant !== undefined)
    .map((instant) => (instant.getTime() - now.getTime()) / DAY_MS);

  const past = clamp(-Math.min(0, ...days), MIN_RANGE.pastDays, MAX_RANGE.pastDays);
  const soonest = Math.max(MIN_RANGE.futureDays, Math.min(boundDays * 1.5, MAX_RANGE.futureDays));
  const future = clamp(Math.max(0, ...days), soonest, MAX_RANGE.futureDays);
  const margin = (past + future) * 0.03;
  const start = now.getTime() - (past + margin) * DAY_MS;
  const end = now.getTime() + (future + margin) * DAY_MS;
  const { from, to } = PLOT;
  // To a tenth of a unit.
  const place = (time: number) =>
    Math.round((from + ((clamp(time, start, end) - start) / (end - start)) * (to - from)) * 10) /
    10;

  const today = place(now.getTime());
  const months = ticks(start, end).map((time) => ({ x: place(time), label: MONTH.format(time) }));

  return {
    today,
    bound: place(now.getTime() + boundDays * DAY_MS),
    /** A date out of range is placed at the edge; `beyond` tells which. */
    position: (instant: Date): { x: number; beyond?: "before" | "after" } => {
      const x = place(instant.getTime());
      if (instant.getTime() < start) return { x, beyond: "before" };

      return instant.getTime() > end ? { x, beyond: "after" } : { x };
    },
    ticks: months.filter(({ x }) => Math.abs(x - today) >= TODAY_GAP),
  };
}

/** First days of months, as many as fit. */
function ticks(start: number, end: number): number[] {
  const months = (end - start) / DAY_MS / 30.4;
  const step = [1, 2, 3, 6].find((candidate) => months / candidate <= MAX_TICKS) ?? 12;
  const year = new Date(start).getUTCFullYear();
  // Counted from January, so that steps of 3 are quarters; four years are more than the longest
  // range.
  const times = Array.from({ length: 48 / step }, (_, index) => Date.UTC(year, index * step, 1));

  return times.filter((time) => time >= start && time <= end);
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(maximum, Math.max(minimum, value));
}

/** A longer text would reach into the plot. */
function shortened(text: string, length: number): string {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join("")}…` : text;
}
