/** The parts of a report, decided once for all formats that people read. */

import { compare, groupBy } from "../../common/order";
import { count } from "../../common/text";
import type { Verdict } from "../../rules/expiry-rule";
import { firstOf, MAX_NAMED, nameOf } from "../text";
import { type Entry, entriesOf, urgentFirst, withoutDomain } from "./groups";
import type { DomainReport, Report, ReportedFinding } from "./model";
import { changeText, generated, scopeWords, summaryLine, TITLE, VERDICT_TEXTS } from "./texts";

/** A line of a section. */
export interface Line {
  text: string;

  /** The lines of the single domains, where the text does not have them all. */
  each: string[];
}

/** Lines under a heading, the most important first. */
export interface Section {
  heading: string;

  /** Their name, as in `and 12 more less urgent violations`. */
  what: string;
  lines: Line[];
}

export type Sections = ReturnType<typeof sectionsOf>;

/** The parts of a report. */
export function sectionsOf(report: Report) {
  const domains = urgentFirst(report.domains);
  const entries = entriesOf(report.findings);
  const ofVerdict = (verdict: Verdict, what: string): Section => ({
    heading: VERDICT_TEXTS[verdict].heading,
    what,
    lines: entries.filter(({ of }) => of[0].verdict === verdict).map(entryLine),
  });

  return {
    title: TITLE,
    made: generated(report),
    summary: summaryLine(report),
    scope: scopeWords(report),
    violations: ofVerdict("fail", "less urgent violations"),
    undetermined: ofVerdict("unknown", "that could not be determined"),
    warnings: ofVerdict("warn", "less urgent warnings"),
    urgent: domains.filter(({ findings }) => findings.length > 0),
    fine: domains.filter(({ findings }) => findings.length === 0),
    changes: (ofDomain: number) => changesSection(domains, ofDomain),
    remarks: remarksSection(domains),
    notes: {
      heading: "Notes",
      what: "notes",
      lines: report.notes.map((note) => line(note)),
    },
  };
}

function line(text: string, each: string[] = []): Line {
  return { text, each };
}

/** A finding, or what many domains have. */
function entryLine(entry: Entry): Line {
  const { of, isSame } = entry;
  const isWhole = isSame && of.length <= MAX_NAMED;

  return line(textOf(entry), isWhole ? [] : of.map(nameFirst));
}

/** Such as `a.example: …`, or `200 domains (a.example, b.example and 198 more): …`. */
function textOf({ of, isSame }: Entry): string {
  const names = [...new Set(of.flatMap((one) => nameIn(one) ?? []))];
  if (names.length < 2) return nameFirst(of[0]);

  const others = isSame ? "" : "; the others differ";

  return `${count(names.length, "domain")} (${firstOf(names)}): ${withoutDomain(of[0])}${others}`;
}

function nameFirst(finding: ReportedFinding): string {
  const name = nameIn(finding);
  return name === null ? finding.text : `${name}: ${finding.text}`;
}

function nameIn({ domain, domainId }: ReportedFinding): string | null {
  return domain ?? domainId;
}

/** The texts of a section without those of single domains. */
export function textsOfLines({ lines }: Section): string[] {
  return lines.map(({ text }) => text);
}

/** The newest changes of each domain. */
function changesSection(domains: readonly DomainReport[], ofDomain: number): Section {
  const lines = domains.flatMap((domain) => {
    const name = nameOf(domain);
    const changes = domain.changes ?? [];
    const texts = changes.slice(0, ofDomain).map((change) => `${name}, ${changeText(change)}`);
    const more = changes.length - texts.length;

    return more > 0 ? [...texts, `${name}: and ${more} more changes`] : texts;
  });

  return { heading: "Changes", what: "lines of changes", lines: lines.map((text) => line(text)) };
}

/** Facts that no rule is about: what many domains have is one line, the rarest first. */
function remarksSection(domains: readonly DomainReport[]): Section {
  const remarks = domains.flatMap((domain) =>
    domain.remarks.map((text) => ({ name: nameOf(domain), text })),
  );

  const groups = [...groupBy(remarks, ({ text }) => text)];
  const lines = groups
    .sort(([, a], [, b]) => compare(a.length, b.length))
    .map(([text, group]) => {
      const names = group.map(({ name }) => name);
      const who = names.length > 1 ? `${names.length} domains (${firstOf(names)})` : names[0];

      return line(`${who}: ${text}`);
    });

  return { heading: "For your information", what: "that no rule requires", lines };
}
