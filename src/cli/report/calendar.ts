/**
 * A report as an iCalendar file: the days to act. An event keeps its UID, so that a renewal moves
 * it.
 */
import { oneLine } from "../../common/secrets";
import type { DomainReport, Report } from "./model";
import { nameOf } from "./texts";

export function renderCalendar({ title, generatedAt, domains }: Report): string {
  const stamp = `${generatedAt.slice(0, 19).replace(/[-:]/g, "")}Z`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//pulumi-domain-monitoring//report//EN",
    `X-WR-CALNAME:${escapeText(title)}`,
    ...domains.flatMap((domain) => eventsOf(domain, stamp)),
    "END:VCALENDAR",
  ];

  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventsOf(domain: DomainReport, stamp: string): string[] {
  const { registration, certificate } = domain;
  const name = nameOf(domain);
  const event = (what: string, summary: string, part: typeof registration | typeof certificate) =>
    part?.actBy
      ? [
          "BEGIN:VEVENT",
          `UID:${what}-${escapeText(domain.id)}@pulumi-domain-monitoring`,
          `DTSTAMP:${stamp}`,
          `DTSTART;VALUE=DATE:${part.actBy.replaceAll("-", "")}`,
          `SUMMARY:${escapeText(`${summary} ${name}`)}`,
          `DESCRIPTION:${escapeText(`${name} ${part.text}`)}`,
          "TRANSP:TRANSPARENT",
          "END:VEVENT",
        ]
      : [];

  return [
    ...event("registration", "Renew", registration),
    ...event("certificate", "Renew the certificate of", certificate),
  ];
}

function escapeText(text: string): string {
  return oneLine(text, 500).replace(/[\\;,]/g, "\\$&");
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
