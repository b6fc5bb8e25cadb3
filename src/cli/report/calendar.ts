/**
 * A report as an iCalendar file: the days to renew registrations. An event keeps its UID, so that a
 * renewal moves it.
 */
import type { DomainReport, Report } from "./model";
import { nameOf } from "./texts";

export function renderCalendar({ title, generatedAt, domains }: Report): string {
  const stamp = `${generatedAt.slice(0, 19).replace(/[-:]/g, "")}Z`;
  const today = generatedAt.slice(0, 10);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//pulumi-domain-monitoring//report//EN",
    `X-WR-CALNAME:${escapeText(title)}`,
    ...domains.flatMap((domain) => eventOf(domain, today, stamp)),
    "END:VCALENDAR",
  ];

  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** A day in the past reminds nobody: the report itself says what is late. */
function eventOf(domain: DomainReport, today: string, stamp: string): string[] {
  const { id, registration } = domain;
  const name = nameOf(domain);
  const actBy = registration?.actBy ?? "";
  if (actBy < today) return [];

  return [
    "BEGIN:VEVENT",
    `UID:registration-${escapeText(id)}@pulumi-domain-monitoring`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${actBy.replaceAll("-", "")}`,
    `SUMMARY:${escapeText(`Renew ${name}`)}`,
    `DESCRIPTION:${escapeText(`${name} ${registration?.text}`)}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&");
}

/** Longest line in bytes (RFC 5545, section 3.1). */
const MAX_BYTES = 75;

/** A line that is continued by others, which begin with a space. No character is divided. */
function folded(line: string): string {
  let text = "";
  let bytes = 0;

  for (const character of line) {
    const size = Buffer.byteLength(character);

    if (bytes + size > MAX_BYTES) {
      text += "\r\n ";
      bytes = 1;
    }

    text += character;
    bytes += size;
  }

  return text;
}
