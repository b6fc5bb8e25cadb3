/**
 * A report as one self-contained page: no script, font, image or external address. Its content security policy enforces
 * that, in case the escaping misses something.
 */
import { count } from "../../common/text";
import { groupsOf, urgentFirst } from "./groups";
import { filterStyle, renderFilter, renderTimelines } from "./html-groups";
import { STYLE } from "./html-style";
import { renderChanges, renderDomainTable } from "./html-table";
import { escapeMarkup } from "./markup";
import type { Report } from "./model";
import { generated, problemLines, UNREADABLE, unreadableLines } from "./words";

/** Renders the page. */
export function renderHtml(report: Report): string {
  const title = escapeMarkup(report.title);
  const domains = urgentFirst(report.domains);
  const groups = groupsOf(domains);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}${filterStyle(groups)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="muted">Made ${generated(report)}. Registrations must last ${count(report.minimumDays, "day")}; changes are listed since ${escapeMarkup(report.since)}.</p>
${tiles(report)}
</header>
<main>
${renderFilter(report, groups)}
<h2>Timeline</h2>
<figure>
<figcaption>${legend(report)}</figcaption>
${renderTimelines(report, groups)}
</figure>
<h2>Domains</h2>
${renderDomainTable(groups)}
${lines("Not determined", domains.flatMap(problemLines))}
${lines(UNREADABLE, domains.flatMap(unreadableLines))}
${renderChanges(domains, report.since)}
${lines("Notes", report.notes)}
</main>
<footer>The most urgent domains come first. Days are UTC days; the expiry day itself is not yet expired.</footer>
</body>
</html>
`;
}

function tiles({ summary }: Report): string {
  const tile = (kind: string, number: number, words: string) =>
    `<li class="${kind}"><strong>${number}</strong> ${words}</li>`;
  return [
    '<ul class="tiles">',
    tile("all", summary.domains, summary.domains === 1 ? "domain" : "domains"),
    tile(summary.ok > 0 ? "ok" : "all", summary.ok, "fine"),
    tile(
      summary.attention > 0 ? "attention" : "all",
      summary.attention,
      summary.attention === 1 ? "needs attention" : "need attention",
    ),
    tile(summary.error > 0 ? "error" : "all", summary.error, "not fully determined"),
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
    entry("missing", "no date known"),
    ...(minimumDays > 0 ? [entry("bound", `the next ${count(minimumDays, "day")}`)] : []),
  ].join("\n");
}

function lines(title: string, texts: string[]): string {
  if (texts.length === 0) return "";
  const items = texts.map((text) => `<li>${escapeMarkup(text)}</li>`);
  return `<h2>${title}</h2>\n<ul class="lines">\n${items.join("\n")}\n</ul>`;
}
