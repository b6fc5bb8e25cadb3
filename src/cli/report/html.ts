/**
 * A report as one self-contained page: no script, font, image or external address. Its content
 * security policy enforces that, in case the escaping misses something.
 */
import { count } from "../../common/text";
import { escapeMarkup, nameOf } from "../text";
import { type DomainGroup, groupsOf } from "./groups";
import { STYLE } from "./html-style";
import type { DomainReport, Report } from "./model";
import { type Line, type Section, sectionsOf } from "./sections";
import { changeText, type DatedTexts, day, NOTHING, textsOf } from "./texts";
import { HATCH, renderTimeline } from "./timeline";

/** Up to this many domains are in one picture. */
const MAX_TOGETHER = 24;

/** In a report on more, domains that are fine have rows and no bars. */
const MAX_PICTURED = 300;

export function renderHtml(report: Report): string {
  const parts = sectionsOf(report);
  const title = escapeMarkup(parts.title);
  const domains = [...parts.urgent, ...parts.fine];
  const groups = groupsOf(domains);
  const found = [parts.violations, parts.undetermined, parts.warnings];
  const filtered = domains.length > MAX_TOGETHER ? groups : [];

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}${COLUMN_RULES}${filtered.map(filterRule).join("")}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="muted">Made ${parts.made}. ${escapeMarkup(parts.scope)}</p>
${tiles(report)}
</header>
<main>
${found.map(renderSection).join("\n")}
${renderFilter(filtered, domains.length)}
<h2>Timeline</h2>
<p class="muted narrow">It needs a wider screen. The dates are below.</p>
<figure>
<figcaption>${legend(report)}</figcaption>
${renderTimelines(report, filtered)}
</figure>
<h2>Domains</h2>
${renderDomainTables(groups)}
${renderChanges(domains, report.since)}
${[parts.remarks, parts.notes].map(renderSection).join("\n")}
</main>
<footer>The most urgent domains come first. Days are UTC days; the expiry day itself is not yet expired.</footer>
</body>
</html>
`;
}

function tiles({ summary }: Report): string {
  const { domains, ...verdicts } = summary;
  const tile = (kind: string, number: number, words: string) =>
    `<li class="${kind}"><strong>${number}</strong> ${words}</li>`;

  return [
    '<ul class="tiles">',
    tile("all", domains, domains === 1 ? "domain" : "domains"),
    ...Object.entries(verdicts).map(([verdict, number]) =>
      tile(number > 0 ? verdict : "all", number, verdict),
    ),
    "</ul>",
  ].join("\n");
}

/** Explains only what the timeline may contain. */
function legend({ minimumDays }: Report): string {
  const entry = (kind: string, words: string) => `<span><i class="${kind}"></i>${words}</span>`;

  return [
    entry("ok", "registration"),
    entry("expiring", "ends too soon"),
    entry("expired", "expired"),
    entry("certificate", "certificate"),
    entry("invalid", "invalid certificate"),
    entry("missing", "no date known"),
    ...(minimumDays ? [entry("bound", `the next ${count(minimumDays, "day")}`)] : []),
  ].join("\n");
}

function renderSection({ heading, lines }: Section): string {
  if (lines.length === 0) return "";

  return `<h2>${heading}</h2>\n<ul class="lines">\n${lines.map(renderLine).join("\n")}\n</ul>`;
}

/** A finding of many domains can be unfolded. */
function renderLine({ text, each }: Line): string {
  if (each.length === 0) return `<li>${escapeMarkup(text)}</li>`;
  const items = each.map((one) => `<li>${escapeMarkup(one)}</li>`);

  return `<li><details><summary>${escapeMarkup(text)}</summary>\n<ul>\n${items.join("\n")}\n</ul></details></li>`;
}

/** The radio buttons; nothing without groups. */
function renderFilter(groups: readonly DomainGroup[], all: number): string {
  if (groups.length === 0) return "";
  const choice = (key: string, words: string, domains: number, rest = "") =>
    `<label><input type="radio" name="only" id="only-${key}"${rest}> ${words} <b>${domains}</b></label>`;

  return [
    '<fieldset class="filter">',
    "<legend>Show</legend>",
    choice("all", "All", all, " checked"),
    ...groups.map(({ key, heading, domains }) => choice(key, heading, domains.length)),
    "</fieldset>",
  ].join("\n");
}

/** The rule by which a group's button hides what is in another one. */
function filterRule({ key }: DomainGroup): string {
  return `body:has(#only-${key}:checked) [data-in]:not([data-in="${key}"]) { display: none; }\n`;
}

/** A picture of each group, open if it has findings; of all domains without groups. */
function renderTimelines(report: Report, groups: readonly DomainGroup[]): string {
  if (groups.length === 0) return `${HATCH}\n${picture(report)}`;

  const isLarge = report.domains.length > MAX_PICTURED;
  const pictured = groups.filter(({ isFine }) => !(isLarge && isFine));
  const note = '<p class="muted">Domains that are fine have no bars in a report of this size.</p>';

  return [
    HATCH,
    ...pictured.map((group) => folded(group, picture(report, group), !group.isFine)),
    isLarge ? note : "",
  ].join("\n");
}

/** Something about a group that can be unfolded. */
function folded({ key, heading, domains }: DomainGroup, content: string, isOpen = false): string {
  return (
    `<details class="group" data-in="${key}"${isOpen ? " open" : ""}>\n` +
    `<summary>${heading} <span>${count(domains.length, "domain")}</span></summary>\n` +
    `${content}\n</details>`
  );
}

function picture(report: Report, group?: DomainGroup): string {
  const label = group ? `Timeline: ${group.heading}` : "Timeline";
  return scrollable(label, renderTimeline(report, group));
}

/** A block that can be wider than the screen. Without `tabindex`, the keyboard could not scroll it. */
function scrollable(label: string, content: string): string {
  return `<div class="scroll" tabindex="0" role="group" aria-label="${label}">\n${content}\n</div>`;
}

const MAX_CHANGES = 100;
/** Up to this many sections are open initially. */
const MAX_UNFOLDED = 3;

const COLUMNS = ["Domain", "Registration", "Act by", "Certificate", "Changes"];

/** On a narrow screen, each cell says its column. */
const COLUMN_RULES = `@media (max-width: 700px) {\n${COLUMNS.slice(1)
  .map((column, index) => `td:nth-of-type(${index + 1})::before { content: "${column}"; }\n`)
  .join("")}}\n`;

/**
 * Everything that the timeline shows, as text; domains that are fine are folded. On a narrow screen,
 * a row is a card.
 */
function renderDomainTables(groups: readonly DomainGroup[]): string {
  const urgent = groups.filter(({ isFine }) => !isFine);
  const fine = groups.filter(({ isFine }) => isFine);

  return [
    ...(urgent.length > 0 ? [table("Domains with findings", urgent)] : []),
    ...fine.map((group) => folded(group, table(group.heading, [group]))),
  ].join("\n");
}

function table(label: string, groups: readonly DomainGroup[]): string {
  const columns = COLUMNS.map((column) => `<th scope="col">${column}</th>`).join("");
  const rows = [
    `<table aria-label="${label}">`,
    `<thead><tr>${columns}</tr></thead>`,
    ...groups.flatMap(({ key, domains }) => [
      `<tbody data-in="${key}">`,
      ...domains.map(row),
      "</tbody>",
    ]),
    "</table>",
  ];

  return scrollable(label, rows.join("\n"));
}

function row(domain: DomainReport): string {
  const { name, label, why, registration, certificate, changes } = textsOf(domain);
  const { registrar, verdict } = domain;
  const issuer = domain.certificate?.issuer ?? null;
  const cells = [
    datedCell(registration, registrar),
    escapeMarkup(day(domain.registration?.actBy ?? null)),
    datedCell(certificate, issuer),
    // No line break between a number and its noun.
    changes.replace(/(\d) /g, "$1\u00a0"),
  ].map((content) => `<td>${content}</td>`);

  const mark = verdict === "pass" ? "" : ` ${badge(verdict)} ${why}`;
  const head = `<th scope="row">${escapeMarkup(name)}${mark}${label === "" ? "" : small(label)}</th>`;

  return `<tr>${head}${cells.join("")}</tr>`;
}

/** Status and date, and below them the days left and the registrar or issuer. */
function datedCell({ status, expires, left }: DatedTexts, by: string | null): string {
  const date = expires === NOTHING ? "" : ` ${escapeMarkup(expires)}`;
  const below = [left, by ?? NOTHING].filter((text) => text !== NOTHING);

  return `${badge(status)}${date}${below.length > 0 ? small(below.join(" · ")) : ""}`;
}

/** Nothing if they were not read. */
function renderChanges(domains: readonly DomainReport[], since: string | null): string {
  if (since === null) return "";

  const changed = domains.filter(({ changes }) => changes !== null && changes.length > 0);
  const sections = changed.map((domain) => changeList(domain, changed.length <= MAX_UNFOLDED));
  if (sections.length === 0) {
    return `<h2>Changes</h2>\n<p class="muted">No change is known since ${escapeMarkup(since)}.</p>`;
  }

  return `<h2>Changes</h2>\n<div class="box">\n${sections.join("\n")}\n</div>`;
}

function changeList(domain: DomainReport, open: boolean): string {
  const changes = domain.changes ?? [];
  const items = changes
    .slice(0, MAX_CHANGES)
    .map((change) => `<li>${escapeMarkup(changeText(change))}</li>`);

  const more = changes.length - items.length;
  if (more > 0) items.push(`<li>and ${more} more changes: the format json has them</li>`);

  return `<details${open ? " open" : ""}>\n<summary>${escapeMarkup(nameOf(domain))} <span>${textsOf(domain).changes}</span></summary>\n<ul>\n${items.join("\n")}\n</ul>\n</details>`;
}

function badge(status: string): string {
  const kind = /^(ok|expiring|expired|invalid|unreadable|unknown|stale|warn|fail)$/.test(status)
    ? status
    : "none";

  return `<span class="badge ${kind}">${status}</span>`;
}

function small(text: string): string {
  return `<small>${escapeMarkup(text)}</small>`;
}
