/** Collects the data of a report from the service. What could not be determined is marked as missing. */
import { toInstant } from "../../client/timestamps";
import { certificateReport } from "../../rules/certificate";
import { daysUntil } from "../../rules/days";
import { type DomainExpiry, evaluateDomainExpiry, expirySeverity } from "../../rules/expiry";
import type { Account } from "../account";
import { type Outcome, outcomeOf } from "../calls";
import { EXIT_FAILURE, EXIT_VERDICT } from "../process";
import { readTarget, type Target } from "../selection";
import { describeDns, describeWhois, readChanges } from "./changes";
import type { DomainReport, Problem, RegistrationReport, Report, Summary } from "./model";
import { needsRenewal } from "./words";

/** The values that a report depends on. */
export interface ReportSettings {
  since: string;
  minimumDays: number;
  now: Date;
}

/** Reads everything about one domain. */
export async function reportOn(
  target: Target,
  account: Account,
  { since, minimumDays, now }: ReportSettings,
): Promise<DomainReport> {
  const { id } = target;
  const { client } = account;
  const domain = await readTarget(target, account);
  const [whois, dns] = domain.failure
    ? []
    : await Promise.all([
        outcomeOf(readChanges(client.whoisChanges, id, since, describeWhois)),
        outcomeOf(readChanges(client.dnsChanges, id, since, describeDns)),
      ]);
  const problems = [
    ...problem("domain", domain),
    ...problem("whoisChanges", whois),
    ...problem("dnsChanges", dns),
  ];
  const known = domain.value;
  const expiry = known && evaluateDomainExpiry(known, { minimumDays, now });
  const certificate = known ? certificateReport(known.components.ssl, now) : null;
  const needsAttention =
    (expiry && expirySeverity(expiry, { minimumDays }) !== "none") || needsRenewal(certificate);
  return {
    id,
    verdict: problems.length > 0 ? "error" : needsAttention ? "attention" : "ok",
    domain: known?.domain ?? null,
    label: known?.label ?? null,
    registrar: known?.provider ?? null,
    registration: expiry ? registrationReport(expiry, now) : null,
    certificate,
    whoisChanges: whois?.value ?? null,
    dnsChanges: dns?.value ?? null,
    problems,
  };
}

/** The report on these domains. */
export function createReport(
  title: string,
  domains: DomainReport[],
  { since, minimumDays, now }: ReportSettings,
  notes: string[] = [],
): Report {
  const count = (wanted: DomainReport["verdict"]) =>
    domains.filter(({ verdict }) => verdict === wanted).length;
  return {
    version: 1,
    title,
    generatedAt: now.toISOString(),
    since,
    minimumDays,
    summary: {
      domains: domains.length,
      ok: count("ok"),
      attention: count("attention"),
      error: count("error"),
    },
    domains,
    notes,
  };
}

/** A failure takes precedence: a verdict on some domains must not read as one on all. */
export function reportExitCode({ attention, error }: Summary): number {
  return error > 0 ? EXIT_FAILURE : attention > 0 ? EXIT_VERDICT : 0;
}

function problem(part: Problem["part"], outcome: Outcome<unknown> | undefined): Problem[] {
  return outcome?.failure ? [{ part, ...outcome.failure }] : [];
}

function registrationReport(expiry: DomainExpiry, now: Date): RegistrationReport {
  const { status, expiresAt, actBy, checkedAt, message } = expiry;
  const daysLeft = expiresAt !== null && toInstant(expiresAt) ? daysUntil(expiresAt, now) : null;
  return { status, expiresAt, daysLeft, actBy, checkedAt, message };
}
