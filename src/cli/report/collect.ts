/** Collects the data of a report from the service, and judges it. What could not be determined is marked as missing. */
import type { Changes } from "../../client/changes";
import { toInstant } from "../../client/timestamps";
import type { DnsChange, Domain, WhoisChange } from "../../client/types";
import { newestChanges } from "../../functions/changes";
import { certificateReport } from "../../rules/certificate";
import { daysUntil } from "../../rules/days";
import { type DomainExpiry, evaluateDomainExpiry } from "../../rules/expiry";
import { describeDns, describeWhois } from "../../rules/reviewed-changes";
import type { Account } from "../account";
import { type Outcome, outcomeOf } from "../calls";
import { EXIT_FAILURE, EXIT_VERDICT } from "../output";
import type {
  ChangesReport,
  DomainReport,
  Problem,
  RegistrationReport,
  Report,
  ReportedChange,
  Summary,
} from "./model";
import { needsRenewal } from "./words";

/** The values that a report depends on. */
export interface ReportSettings {
  since: string;
  minimumDays: number;
  now: Date;
}

/** Reads what belongs to a domain, and makes its report. */
export async function reportOn(
  id: string,
  domain: Outcome<Domain>,
  { client }: Account,
  { since, minimumDays, now }: ReportSettings,
): Promise<DomainReport> {
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
  const needsAttention = (expiry && expiry.severity !== "none") || needsRenewal(certificate);
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

/** Maximum number of changes of one kind in a report on a domain. */
const MAX_CHANGES = 1000;

/** Reads a change list. */
async function readChanges<Change extends WhoisChange | DnsChange>(
  feed: Changes<Change>,
  domainId: string,
  since: string,
  describe: (change: Change) => string,
): Promise<ChangesReport> {
  const { matching, changes } = await newestChanges(feed.iterate(domainId), {
    since: toInstant(since),
    limit: MAX_CHANGES,
  });
  const reported = changes.map((change): ReportedChange => {
    const { id, fieldChanged, createdAt } = change;
    return { id, fieldChanged, createdAt, summary: describe(change) };
  });
  return { count: matching, changes: reported };
}
