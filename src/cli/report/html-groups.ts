/**
 * The timeline of the page. With many domains it is one picture for each group, with an axis of its own, and a filter for
 * pictures and table. The filter is made of radio buttons and a style sheet, as the page has no script: a browser without
 * `:has()` shows everything.
 */
import { count } from "../../common/text";
import type { DomainGroup } from "./groups";
import type { Report } from "./model";
import { HATCH, renderTimeline } from "./timeline";

/** Up to this many domains are in one picture. */
const MAX_TOGETHER = 24;

function isGrouped({ domains }: Report): boolean {
  return domains.length > MAX_TOGETHER;
}

/** The radio buttons; nothing without groups. */
export function renderFilter(report: Report, groups: readonly DomainGroup[]): string {
  if (!isGrouped(report)) return "";
  const choice = (key: string, words: string, domains: number, rest = "") =>
    `<label><input type="radio" name="only" id="only-${key}"${rest}> ${words} <b>${domains}</b></label>`;
  return [
    '<fieldset class="filter">',
    "<legend>Show</legend>",
    choice("all", "All", report.domains.length, " checked"),
    ...groups.map(({ key, heading, domains }) => choice(key, heading, domains.length)),
    "</fieldset>",
  ].join("\n");
}

/** The rules by which a button hides what is in another group. */
export function filterStyle(groups: readonly DomainGroup[]): string {
  const rule = ({ key }: DomainGroup) =>
    `body:has(#only-${key}:checked) [data-in]:not([data-in="${key}"]) { display: none; }\n`;
  return groups.map(rule).join("");
}

/** The pictures. Groups of domains that are fine are folded. */
export function renderTimelines(report: Report, groups: readonly DomainGroup[]): string {
  if (!isGrouped(report)) return `${HATCH}\n${picture(report)}`;
  const folded = groups.map(
    (group) =>
      `<details class="group" data-in="${group.key}"${group.isFine ? "" : " open"}>\n` +
      `<summary>${group.heading} <span>${count(group.domains.length, "domain")}</span></summary>\n` +
      `${picture(report, group)}\n</details>`,
  );
  return [HATCH, ...folded].join("\n");
}

function picture(report: Report, group?: DomainGroup): string {
  const label = group ? `Timeline: ${group.heading}` : "Timeline";
  return `<div class="scroll" tabindex="0" role="group" aria-label="${label}">\n${renderTimeline(report, group)}\n</div>`;
}
