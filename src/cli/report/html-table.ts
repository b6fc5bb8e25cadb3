/** The parts of the page with a row or a section for each domain. */
import type { DomainGroup } from "./groups";
import { escapeMarkup } from "./markup";
import type { DomainReport } from "./model";
import { type DatedTexts, day, nameOf, newestChanges, textsOf } from "./words";

/** Maximum number of changes listed for a domain. */
const MAX_CHANGES = 100;
/** Up to this many sections are open initially. */
const MAX_UNFOLDED = 3;

/** The table: everything that the timeline shows, as text. */
export function renderDomainTable(groups: readonly DomainGroup[]): string {
  const columns = ["Domain", "Registration", "Expires", "Act by", "Certificate", "Expires", "Changes"];
  return [
    '<div class="scroll" tabindex="0" role="group" aria-label="Domains">',
    "<table>",
    "<caption>Registrations and certificates, the most urgent first</caption>",
    `<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead>`,
    ...groups.flatMap(({ key, domains }) => [`<tbody data-in="${key}">`, ...domains.map(row), "</tbody>"]),
    "</table>",
    "</div>",
  ].join("\n");
}

function row(domain: DomainReport): string {
  const { name, label, registration, certificate, changes } = textsOf(domain);
  const { registrar } = domain;
  const issuer = domain.certificate?.issuer;
  const actBy = domain.registration?.actBy ?? null;
  const cells = [
    `<th scope="row">${escapeMarkup(name)}${label === "" ? "" : small(label)}</th>`,
    `<td class="wide">${badge(registration.status)}${registrar ? small(registrar) : ""}</td>`,
    dateCell(registration, domain.registration?.daysLeft),
    `<td class="fixed">${escapeMarkup(day(actBy))}</td>`,
    `<td class="wide">${badge(certificate.status)}${issuer ? small(issuer) : ""}</td>`,
    dateCell(certificate, domain.certificate?.daysLeft),
    // No line break between a number and its noun.
    `<td>${changes.replace(/(\d) /g, "$1\u00a0")}</td>`,
  ];
  return `<tr>${cells.join("")}</tr>`;
}

function dateCell({ expires, left }: DatedTexts, daysLeft: number | null = null): string {
  return `<td class="fixed">${escapeMarkup(expires)}${daysLeft === null ? "" : small(left)}</td>`;
}

/** The changes by domain, collapsed if there are many. */
export function renderChanges(domains: readonly DomainReport[], since: string): string {
  const changed = domains.filter(({ whoisChanges, dnsChanges }) => whoisChanges?.count || dnsChanges?.count);
  const sections = changed.map((domain) => changesOf(domain, changed.length <= MAX_UNFOLDED));
  if (sections.length === 0) {
    return `<h2>Changes</h2>\n<p class="muted">No change is known since ${escapeMarkup(since)}.</p>`;
  }
  return `<h2>Changes</h2>\n<div class="scroll">\n${sections.join("\n")}\n</div>`;
}

function changesOf(domain: DomainReport, open: boolean): string {
  const { listed, more } = newestChanges(domain, MAX_CHANGES);
  const items = listed.map(
    ({ kind, createdAt, summary }) =>
      `<li><time>${escapeMarkup(createdAt)}</time> ${kind} ${escapeMarkup(summary)}</li>`,
  );
  if (more > 0) items.push(`<li>and ${more} more</li>`);
  return `<details${open ? " open" : ""}>\n<summary>${escapeMarkup(nameOf(domain))} <span>${textsOf(domain).changes}</span></summary>\n<ul>\n${items.join("\n")}\n</ul>\n</details>`;
}

function badge(status: string): string {
  const kind = /^(ok|expiring|expired|invalid|unreadable|unknown|stale)$/.test(status) ? status : "none";
  return `<span class="badge ${kind}">${status}</span>`;
}

function small(text: string): string {
  return `<small>${escapeMarkup(text)}</small>`;
}
