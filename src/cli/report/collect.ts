/** Collects the data of a report from the service. What could not be determined is marked as missing. */
import { toInstant } from "../../client/timestamps";
import type { Domain } from "../../client/types";
import { type CertificateReport, certificateReport } from "../../rules/certificate";
import { daysUntil } from "../../rules/days";
import { type ExpiryRule, evaluateDomainExpiry, expirySeverity } from "../../rules/expiry";
import type { Account } from "../account";
import { mapLimit, type Outcome, outcomeOf } from "../calls";
import { EXIT_FAILURE, EXIT_VERDICT } from "../process";
import { readTarget, type Target } from "../selection";
import { describeDns, describeWhois, readChanges } from "./changes";
import type { ChangesReport, DomainReport, Problem, RegistrationReport, Report, Summary } from "./model";

/** Domains to report on, with the values that the report depends on. */
export interface ReportRequest {
  title: string;
  targets: Target[];
  notes: string[];
  since: string;
  minimumDays: number;
  now: Date;
}

/** States of a certificate that need attention. */
const NEEDS_ATTENTION = new Set<CertificateReport["status"]>(["expired", "invalid", "unreadable"]);

/** The outcomes of the calls about one domain. */
interface Answers {
  domain: Outcome<Domain>;
  /** Undefined if the domain itself could not be determined. */
  whois?: Outcome<ChangesReport>;
  dns?: Outcome<ChangesReport>;
}

/** Creates the report. @param onDomain called after each domain */
export async function collectReport(
  account: Account,
  { title, targets, notes, since, minimumDays, now }: ReportRequest,
  onDomain: () => void,
): Promise<Report> {
  const { client, concurrency } = account;
  const reportOn = async (target: Target): Promise<DomainReport> => {
    const { id } = target;
    const domain = await readTarget(account, target);
    if (domain.failure) return describe(id, { domain }, { minimumDays }, now);
    const [whois, dns] = await Promise.all([
      outcomeOf(readChanges(client.whoisChanges, id, since, describeWhois)),
      outcomeOf(readChanges(client.dnsChanges, id, since, describeDns)),
    ]);
    return describe(id, { domain, whois, dns }, { minimumDays }, now);
  };
  const domains = await mapLimit(targets, concurrency, reportOn, onDomain);
  const generatedAt = now.toISOString();
  return {
    version: 1,
    title,
    generatedAt,
    since,
    minimumDays,
    summary: summarize(domains),
    domains,
    notes,
  };
}

/** A failure takes precedence: a verdict on some domains must not read as one on all. */
export function reportExitCode({ attention, error }: Summary): number {
  return error > 0 ? EXIT_FAILURE : attention > 0 ? EXIT_VERDICT : 0;
}

function describe(id: string, { domain, whois, dns }: Answers, rule: ExpiryRule, now: Date): DomainReport {
  const problems: Problem[] = [];
  if (domain.failure) problems.push({ part: "domain", ...domain.failure });
  if (whois?.failure) problems.push({ part: "whoisChanges", ...whois.failure });
  if (dns?.failure) problems.push({ part: "dnsChanges", ...dns.failure });
  const known = domain.value;
  const registration = known ? registrationReport(known, rule, now) : null;
  const certificate = known ? certificateReport(known.components.ssl, now) : null;
  const needsAttention =
    registration?.severity !== "none" || (certificate !== null && NEEDS_ATTENTION.has(certificate.status));
  return {
    id,
    verdict: problems.length > 0 ? "error" : needsAttention ? "attention" : "ok",
    domain: known?.domain ?? null,
    label: known?.label ?? null,
    registrar: known?.provider ?? null,
    registration: registration?.report ?? null,
    certificate,
    whoisChanges: whois?.value ?? null,
    dnsChanges: dns?.value ?? null,
    problems,
  };
}

function registrationReport(
  domain: Domain,
  rule: ExpiryRule,
  now: Date,
): { report: RegistrationReport; severity: ReturnType<typeof expirySeverity> } {
  const expiry = evaluateDomainExpiry(domain, { ...rule, now });
  const { status, expiresAt, actBy, checkedAt, message } = expiry;
  const daysLeft = expiresAt !== null && toInstant(expiresAt) ? daysUntil(expiresAt, now) : null;
  return {
    report: { status, expiresAt, daysLeft, actBy, checkedAt, message },
    severity: expirySeverity(expiry, rule),
  };
}

function summarize(domains: DomainReport[]): Summary {
  const count = (wanted: DomainReport["verdict"]) =>
    domains.filter(({ verdict }) => verdict === wanted).length;
  return {
    domains: domains.length,
    ok: count("ok"),
    attention: count("attention"),
    error: count("error"),
  };
}
