/**
 * Judges a domain by all rules: registration, certificate, components and changes. Pure: no clock,
 * no network.
 */
import type { Domain } from "../client/types";
import { type CertificateState, judgeCertificate } from "./certificate";
import { type ComponentName, componentProblems, oldChecks, withPatience } from "./components";
import { type Exception, withExceptions } from "./exceptions";
import { nameFindings } from "./expected-names";
import { judgeRegistration, type RegistrationRule, type RegistrationState } from "./expiry";
import type { Bound, Judged } from "./expiry-rule";
import { changeFindings } from "./field-changes";
import type { ChangeKind } from "./fields";
import { type Finding, finding } from "./finding";
import { type KnownChange, type ReviewRule, unreviewedChanges } from "./reviewed-changes";

/** The rules for one domain. */
export interface DomainRules {
  /** Null: registrations are not judged. */
  registration: (RegistrationRule & { registrars?: readonly string[] }) | null;

  /** Null: certificates are not judged. */
  certificate: (Bound & { issuers?: readonly string[] }) | null;

  /** Components that have to be switched on, `HEALTHY` and checked in time. */
  components: readonly ComponentName[];

  /** Maximum age of their last checks; undefined: any. */
  maximumAgeHours: number | undefined;

  /** Changes that have to be reviewed; undefined if none have to be. */
  changes: ChangesRule | undefined;
  accept: readonly Exception[];
}

/** Which changes have to be reviewed. */
export interface ChangesRule extends ReviewRule {
  /** Changes since then, inclusive: `DATE` or `SQL-TS`. */
  since: string;
  kinds: readonly ChangeKind[];

  /** Fields whose changes do not have to be reviewed. */
  ignoreFields?: readonly string[];
}

/** The judgement on a domain. */
export interface DomainJudgement {
  registration: RegistrationState;
  certificate: CertificateState;
  findings: Finding[];

  /** Facts worth knowing that no rule is about, each in one line. */
  remarks: string[];
}

/**
 * Judges a domain.
 * @param changes of the kinds of the rule and since its date
 * @param others what else was found, such as channels that are not recorded
 */
export function judgeDomain(
  domain: Domain,
  changes: readonly KnownChange[],
  rules: DomainRules,
  now: Date,
  others: readonly Finding[] = [],
): DomainJudgement {
  const { ssl } = domain.components;
  const registration = judgeRegistration(domain, rules.registration, now);
  const certificate = judgeCertificate(ssl, rules.certificate, now);
  const problems = componentProblems(domain, rules, now);
  const isRequired = ({ about }: Finding) =>
    rules.components.some((component) => component === about);

  const unreviewed = rules.changes ? unreviewedChanges(changes, rules.changes) : [];
  const found = [
    ...expiryFinding("registration", registration),
    // A certificate that is switched off is a problem of its component.
    ...(ssl.isEnabled ? expiryFinding("certificate", certificate) : []),
    ...nameFindings(domain, rules),
    ...problems.filter(isRequired),
    ...changeFindings(unreviewed),
    ...others,
  ];

  const unjudged = problems.filter((problem) => !isRequired(problem));
  const remarks = [
    ...unjudged.map(({ text }) => text),
    ...recentCertificate(domain),
    ...oldChecks(domain, rules, now),
  ];

  return {
    registration: registration.state,
    certificate: certificate.state,
    findings: withExceptions(withPatience(domain, found, now), rules.accept, now),
    remarks,
  };
}

/** Urgency without a date: nothing says that it is urgent. */
const UNDATED = 99_999;

function expiryFinding(
  kind: "registration" | "certificate",
  { state, verdict }: Judged<RegistrationState | CertificateState>,
): Finding[] {
  const { status, text, daysLeft } = state;
  if (verdict === "pass") return [];

  const urgency = status === "invalid" ? 0 : (daysLeft ?? UNDATED);

  return [finding({ kind, about: kind, state: status, verdict, urgency, text })];
}

function recentCertificate({ components: { ssl } }: Domain): string[] {
  const isShown = ssl.isEnabled && ssl.hasChangedRecently;

  return isShown
    ? [`its certificate has changed recently, and its issuer is ${ssl.issuer ?? "not known"}`]
    : [];
}
