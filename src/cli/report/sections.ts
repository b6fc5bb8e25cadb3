/** The parts of a report, decided once for all formats that people read. */

import { isUuid } from "../../client/rules";
import { compare, groupBy } from "../../common/order";
import { count } from "../../common/text";
import { shownField } from "../../rules/fields";
import { isOfControl } from "../../rules/finding";
import {
  byUrgency,
  type Entry,
  entriesOf,
  findingsOf,
  MAX_DOMAINS,
  type Named,
  urgentFirst,
} from "./entries";
import type { DomainReport, Report } from "./model";
import {
  day,
  generated,
  nameOf,
  newestChanges,
  scopeWords,
  summaryLine,
  VERDICT_TEXTS,
} from "./texts";

/** A line of a section. */
export interface Line {
  text: string;

  /** The lines of the single domains, where the text is about many. */
  each: string[];

  /** Whether it is about a registrar, a status or name servers: it is cut last. */
  isOfControl: boolean;
}

/** Lines under a heading, the most important first. */
export interface Section {
  heading: string;

  /** Their name, as in `and 12 more less urgent violations`. */
  what: string;
  lines: Line[];
}

/** Lines to paste into the rules file. */
export interface Block extends Section {
  /** The lines above them. */
  keys: string[];
}

export type Sections = ReturnType<typeof sectionsOf>;

/** The parts of a report. */
export function sectionsOf(report: Report) {
  const domains = urgentFirst(report.domains);
  const findings = findingsOf(report);
  const entries = entriesOf(findings);
  const ofVerdict = (verdict: Entry["finding"]["verdict"], what: string): Section => ({
    heading: VERDICT_TEXTS[verdict].heading,
    what,
    lines: entries.filter(({ finding }) => finding.verdict === verdict).map(entryLine),
  });

  return {
    title: report.title,
    made: generated(report),
    summary: summaryLine(report),
    scope: scopeWords(report),
    violations: ofVerdict("fail", "less urgent violations"),
    undetermined: ofVerdict("unknown", "that could not be determined"),
    warnings: ofVerdict("warn", "less urgent warnings"),
    resolved: resolvedSection(report),
    blocks: reviewBlocks(findings),
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

function line(text: string, { each = [], isOfControl = false }: Partial<Line> = {}): Line {
  return { text, each, isOfControl };
}

/** A finding, or what many domains have. */
export function entryLine(entry: Entry): Line {
  const { finding, of } = entry;
  const each = of.length > 1 ? of.map(({ name, finding }) => named(name, finding)) : [];

  return { text: textOf(entry), each, isOfControl: isOfControl(finding) };
}

/** Such as `a.example: …`, or `200 domains (a.example, b.example and 198 more): …`. */
function textOf({ finding, text, isSame, of }: Entry): string {
  const news = of.filter((one) => one.finding.isNew).length;
  const some = news === of.length ? "new: " : `${news} new: `;
  const mark = news > 0 ? some : "";
  const names = [...new Set(of.flatMap(({ name }) => name ?? []))];
  if (of.length === 1 || names.length < 2) return mark + named(names[0] ?? null, finding);

  const others = isSame ? "" : "; the others differ";

  return `${mark}${count(names.length, "domain")} (${firstOf(names)}): ${text}${others}`;
}

function named(name: string | null, { at, text, isKept }: Named["finding"]): string {
  const times = at === null ? "" : ` (${at})`;
  const kept = isKept ? " (of an earlier report)" : "";

  return [...(name === null ? [] : [name]), text + times + kept].join(": ");
}

/** Names of more are cut to so many. */
const MAX_SHOWN = 3;

/** Such as `a, b, c and 197 more`. */
export function firstOf(texts: readonly string[]): string {
  if (texts.length <= MAX_DOMAINS) return texts.join(", ");
  return `${texts.slice(0, MAX_SHOWN).join(", ")} and ${texts.length - MAX_SHOWN} more`;
}

function resolvedSection({ resolved }: Report): Section {
  const groups = groupBy(resolved ?? [], ({ kind, field }) => JSON.stringify([kind, field]));
  const lines = [...groups.values()].flatMap((group) => {
    const names = [...new Set(group.map(nameOf))];
    if (names.length <= MAX_DOMAINS) return group.map((one) => line(`${nameOf(one)}: ${one.text}`));

    return line(`${count(names.length, "domain")} (${firstOf(names)}): such as ${group[0].text}`);
  });

  return { heading: "Resolved", what: "that are resolved", lines };
}

const KEYS = ["changes:", "  reviewed:"];

/** The ids of violations; possible steps of a theft are apart from the rest. */
function reviewBlocks(findings: readonly Named[]): Block[] {
  const blocks = [
    { heading: "If these changes of registrar, status or name servers were intended", is: true },
    { heading: "If these other changes were intended", is: false },
  ];

  return blocks.map(({ heading, is }) => ({
    heading: `${heading}, add to the rules file`,
    what: "changes to review",
    keys: KEYS,
    lines: findings
      .filter(({ finding }) => isOfControl(finding) === is)
      .toSorted((a, b) => byUrgency(a.finding, b.finding))
      .flatMap(reviewLines),
  }));
}

/** For each id, such as `- 3f0c… # a.example, registrar, 2026-02-28`. */
function reviewLines({ name, finding }: Named): Line[] {
  const { verdict, field, change } = finding;
  if (verdict !== "fail" || change === null) return [];

  return change.changes.map(({ id, createdAt }) => {
    const shown = isUuid(id) ? id : JSON.stringify(id);
    const about = [name ?? "", shownField(field ?? ""), day(createdAt)].join(", ");

    return line(`- ${shown} # ${about}`, { isOfControl: isOfControl(finding) });
  });
}

/** The newest changes of each domain. */
function changesSection(domains: readonly DomainReport[], ofDomain: number): Section {
  const lines = domains.flatMap((domain) => {
    const { listed, more } = newestChanges(domain, ofDomain);
    const name = nameOf(domain);
    const texts = listed.map(
      ({ kind, createdAt, summary }) => `${name}, ${createdAt}, ${kind.toUpperCase()}: ${summary}`,
    );

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

  return { heading: "Not required by a rule", what: "that no rule requires", lines };
}
