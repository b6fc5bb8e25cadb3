/**
 * A report as JUnit XML: a case for each domain and kind of trouble, of which a platform shows the
 * new ones.
 */
import { KINDS, type Kind } from "../../rules/finding";
import { escapeMarkup } from "../text";
import type { Report } from "./model";
import { nameOf, type ReportedDomain, reportedDomains, TITLE } from "./texts";

export function renderJunit(report: Report): string {
  const { generatedAt } = report;
  const cases = reportedDomains(report).flatMap((domain) =>
    KINDS.map((kind) => caseOf(domain, kind)),
  );
  const count = (element: string) => cases.filter((one) => one.includes(`<${element} `)).length;
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`;

  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `<testsuite name="${TITLE}" timestamp="${generatedAt.slice(0, 19)}" ${counts}>`,
    ...cases,
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** A warning passes, and is shown as output. */
const ELEMENTS = { fail: "failure", unknown: "error" };

function caseOf(domain: ReportedDomain, kind: Kind): string {
  const found = domain.findings.filter((finding) => finding.kind === kind);
  const head = `<testcase classname="${escapeXml(nameOf(domain))}" name="${kind}"`;
  const lines = found.map(({ text }) => escapeXml(text)).join("\n");
  const worst = found.find(({ verdict }) => verdict === "unknown") ?? found[0];
  if (!worst) return `${head}/>`;
  if (worst.verdict === "warn") return `${head}><system-out>${lines}</system-out></testcase>`;

  const element = ELEMENTS[worst.verdict];

  return `${head}><${element} message="${escapeXml(worst.text)}">${lines}</${element}></testcase>`;
}

/** XML has no place for two characters that markup in general allows. */
function escapeXml(text: string): string {
  return escapeMarkup(text.replace(/[\ufffe\uffff]/g, " "));
}
