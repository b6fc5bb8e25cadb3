/**
 * Judges a domain by all rules: registration, certificate, components and changes. Pure: no clock,
 * no network.
 */
import { toInstantWithOffset } from "../client/timestamps";
import type { Domain, DomainComponents } from "../client/types";
import { messageLine, oneLine } from "../common/secrets";
import { comparable } from "../common/text";
import { type CertificateState, judgeCertificate } from "./certificate";
import { dayNumber } from "./days";
import { judgeRegistration, type RegistrationRule, type RegistrationState, stale } from "./expiry";
import {
  type Bound,
  type ExpiryOverride,
  exceptionWords,
  isInEffect,
  type Judged,
} from "./expiry-rule";
import { type Finding, finding, type Subject } from "./finding";
import {
  type ChangeKind,
  type DescribedChange,
  isOfControl,
  type ReviewRule,
  unreviewedChanges,
} from "./reviewed-changes";

/** The monitored components, by their names in the rules. */
export const COMPONENTS = [
  "whois",
  "dns",
  "ssl",
] as const satisfies readonly (keyof DomainComponents)[];

/** One of {@link COMPONENTS}. */
export type ComponentName = (typeof COMPONENTS)[number];

/** An exception in the rules. */
export interface Exception extends ExpiryOverride {
  about: Subject;
}

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
  changes: readonly DescribedChange[],
  rules: DomainRules,
  now: Date,
  others: readonly Finding[] = [],
): DomainJudgement {
  const registration = judgeRegistration(domain, rules.registration, now);
  const certificate = judgeCertificate(domain.components.ssl, rules.certificate, now);
  const problems = componentProblems(domain, rules, now);
  const isRequired = ({ about }: Finding) =>
    rules.components.some((component) => component === about);

  const unreviewed = rules.changes ? unreviewedChanges(changes, rules.changes) : [];
  const found = [
    ...expiryFinding("registration", registration),
    // A certificate that is switched off is a problem of its component.
    ...(domain.components.ssl.isEnabled ? expiryFinding("certificate", certificate) : []),
    ...nameFindings(domain, rules),
    ...problems.filter(isRequired),
    ...unreviewed.map(changeFinding),
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
    findings: withExceptions(found, rules.accept, now),
    remarks: remarks.map(messageLine),
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

/**
 * Compares registrar and issuer with those that are expected, so that a change missing from the
 * history also shows.
 */
function nameFindings({ provider, components }: Domain, rules: DomainRules): Finding[] {
  const { whois, ssl } = components;
  const { registrars, onUnknown } = rules.registration ?? {};
  const { issuers, onUnknown: onUnknownIssuer } = rules.certificate ?? {};
  const registrar = whois.lastCheckedAt ? registrars : undefined;
  const issuer = ssl.isEnabled && ssl.lastCheckedAt ? issuers : undefined;

  return [
    ...nameFinding("registrar", provider, registrar, onUnknown),
    ...nameFinding("issuer", ssl.issuer, issuer, onUnknownIssuer),
  ];
}

const NAMES = {
  registrar: {
    kind: "control",
    what: "its registrar",
    list: "registration.registrars",
  },
  issuer: {
    kind: "certificate",
    what: "its certificate's issuer",
    list: "certificate.issuers",
  },
} as const;

function nameFinding(
  state: keyof typeof NAMES,
  name: string | null,
  expected: readonly string[] | undefined,
  onUnknown: Bound["onUnknown"],
): Finding[] {
  const { kind, what, list } = NAMES[state];
  const isExpected = expected?.some((one) => comparable(one) === comparable(name ?? "")) ?? true;
  if (isExpected) return [];

  const common = { kind, about: "changes" } as const;
  if (name !== null) {
    const text = `${what} is ${oneLine(name, 200)}: if that is intended, add it to ${list}`;
    // With the name: another unexpected one is new trouble.
    return [finding({ ...common, state: `${state} ${oneLine(name, 100)}`, text })];
  }

  const text = `${what} is not known, so it cannot be compared with ${list}: see why in the service`;

  return [finding({ ...common, state, text, verdict: onUnknown === "warn" ? "warn" : "fail" })];
}

/**
 * Skips what is reported elsewhere: the certificate's rule covers its checks, and the
 * registration's the age of WHOIS data.
 */
function componentProblems({ components }: Domain, rules: DomainRules, now: Date): Finding[] {
  const problemOf = (component: ComponentName): { state: string; text: string } | undefined => {
    const title = component.toUpperCase();
    const { isEnabled, lastCheckedAt } = components[component];
    if (!isEnabled)
      return {
        state: "off",
        text: `its ${title} checks are switched off: switch them on in the service`,
      };

    if (component !== "ssl" && components[component].checkStatus !== "HEALTHY") {
      const { checkStatus } = components[component];

      return {
        state: checkStatus,
        text: `its ${title} check has the status ${checkStatus}: see why in the service`,
      };
    }

    if (component === "whois" && rules.registration) return undefined;
    if (component === "ssl" && rules.certificate && lastCheckedAt === null) return undefined;

    const text = stale(title, lastCheckedAt, rules.maximumAgeHours, now);

    return text === undefined ? undefined : { state: "stale", text };
  };

  return COMPONENTS.flatMap((about) => {
    const problem = problemOf(about);
    return problem === undefined ? [] : [finding({ kind: "component", about, ...problem })];
  });
}

function recentCertificate({ components: { ssl } }: Domain): string[] {
  const isShown = ssl.isEnabled && ssl.hasChangedRecently;

  return isShown
    ? [`its certificate has changed recently, and its issuer is ${ssl.issuer ?? "not known"}`]
    : [];
}

/** Weekly is the only interval that the interface shows. */
const OLD_DAYS = 14;

function oldChecks({ components }: Domain, { maximumAgeHours }: DomainRules, now: Date): string[] {
  if (maximumAgeHours !== undefined) return [];
  return COMPONENTS.flatMap((component) => {
    const { isEnabled, lastCheckedAt } = components[component];
    const checked = toInstantWithOffset(lastCheckedAt ?? "");
    const days = checked ? dayNumber(now) - dayNumber(checked) : 0;

    return isEnabled && days > OLD_DAYS
      ? [`its last ${component.toUpperCase()} check was ${days} days ago`]
      : [];
  });
}

function changeFinding(change: DescribedChange): Finding {
  const { id, fieldChanged, createdAt, summary } = change;

  return finding({
    kind: isOfControl(change) ? "control" : "change",
    about: "changes",
    state: oneLine(fieldChanged, 100),
    text: `unreviewed change, ${oneLine(summary, 300)}`,
    at: createdAt,
    ids: [id],
  });
}

/**
 * Makes violations warnings where an exception names their subject. An exception that has ended is
 * a finding itself.
 */
function withExceptions(
  findings: readonly Finding[],
  exceptions: readonly Exception[],
  now: Date,
): Finding[] {
  const inEffect = exceptions.filter((exception) => isInEffect(exception, now));
  const ended = exceptions.filter((exception) => !isInEffect(exception, now));
  const judged = findings.map((found): Finding => {
    const exception = inEffect.find(({ about }) => about === found.about);
    if (found.verdict !== "fail" || !exception) return found;

    return finding({
      ...found,
      verdict: "warn",
      text: found.text + exceptionWords(exception, now),
    });
  });

  return [...judged, ...ended.map(endedFinding)];
}

function endedFinding({ about, until, reason }: Exception): Finding {
  const text = `its exception about ${about} ended on ${until} (${reason}): remove it, or give it a later date`;
  return finding({
    kind: "exception",
    about,
    state: "ended",
    verdict: "warn",
    text,
  });
}
