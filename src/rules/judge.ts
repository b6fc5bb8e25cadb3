/**
 * Judges the state of a domain by all rules: registration, certificate and components. Pure: no
 * clock, no network.
 */
import type { Domain } from "../client/types";
import { type CertificateState, judgeCertificate } from "./certificate";
import { componentProblems, type DomainRules, withPatience } from "./components";
import { nameFindings } from "./expected-names";
import { judgeRegistration, type RegistrationState } from "./expiry";
import type { Judged } from "./expiry-rule";
import { type Finding, finding, withExceptions } from "./finding";

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
 * @param others what else was found, such as channels that are not recorded
 */
export function judgeDomain(
  domain: Domain,
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

  const found = [
    ...expiryFinding("registration", registration),
    // A certificate that is switched off is a problem of its component.
    ...(ssl.isEnabled ? expiryFinding("certificate", certificate) : []),
    ...nameFindings(domain, rules),
    ...problems.filter(isRequired),
    ...others,
  ];

  const unjudged = problems.filter((problem) => !isRequired(problem));
  const remarks = [...unjudged.map(({ text }) => text), ...recentCertificate(domain)];

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
