/**
 * A report as JUnit XML: a case for each domain and kind of trouble, of which a platform shows the
 * new ones.
 */
import type { Verdict } from "../../rules/expiry-rule";
import { KINDS, type Kind } from "../../rules/finding";
import { escapeMarkup, nameOf } from "../text";
import type { Report } from "./model";
import { type ReportedDomain, reportedDomains, TITLE } from "./texts";

export function renderJunit(report: Report): string {
  const { generatedAt } = report;
  const cases = reportedDomains(report).flatMap((domain) =>
    KINDS.map((kind) => caseOf(domain, kind)),
  );
  const count = (verdict: Verdict) => cases.filter((one) => one.verdict === verdict).length;
  const counts = `tests="${cases.length}" failures="${count("fail")}" errors="${count("unknown")}"`;

  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `<testsuite name="${TITLE}" timestamp="${generatedAt.slice(0, 19)}" ${counts}>`,
    ...cases.map(renderCase),
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** A domain and a kind of trouble, with the findings about them. */
interface Case {
  name: string;
  kind: Kind;
  verdict: Verdict;
  message: string;
  lines: string;
}

function caseOf(domain: ReportedDomain, kind: Kind): Case {
  const found = domain.findings.filter((finding) => finding.kind === kind);
  const worst = found.find(({ verdict }) => verdict === "unknown") ?? found[0];

  return {
    name: nameOf(domain),
    kind,
    verdict: worst?.verdict ?? "pass",
    message: worst?.text ?? "",
    lines: found.map(({ text }) => escapeXml(text)).join("\n"),
  };
}

function renderCase({ name, kind, verdict, message, lines }: Case): string {
  const head = `<testcase classname="${escapeXml(name)}" name="${kind}"`;
  if (verdict === "pass") return `${head}/>`;
  // A warning passes, and is shown as output.
  if (verdict === "warn") return `${head}><system-out>${lines}</system-out></testcase>`;

  const element = verdict === "fail" ? "failure" : "error";

  return `${head}><${element} message="${escapeXml(message)}">${lines}</${element}></testcase>`;
}

/** XML has no place for two characters that markup in general allows. */
function escapeXml(text: string): string {
  return escapeMarkup(text.replace(/[\ufffe\uffff]/g, " "));
}
