/** Judges a domain by all rules: registration, certificate, components and changes. Pure: no clock, no network. */
import { toInstantWithOffset } from "../client/timestamps";
import type { Domain, DomainComponents } from "../client/types";
import { isUuid } from "../common/ids";
import { oneLine } from "../common/redact";
import { dayNumber } from "./days";
import { exceptionWords, isInEffect, judgeExpiry, messageLine, stale } from "./expiry";
import type { ExpiryOverride, ExpiryRule } from "./expiry-rule";
import {
  type ChangeKind,
  type DescribedChange,
  type ReviewRule,
  unreviewedChanges,
} from "./reviewed-changes";

/** A monitored component, by its name in the rules. */
export type ComponentName = keyof DomainComponents;

const COMPONENTS: readonly ComponentName[] = ["whois", "dns", "ssl"];

export interface DomainRules {
  expiry: Omit<ExpiryRule, "override">;
  /** Components that have to be switched on, `HEALTHY` and checked in time. */
  components: readonly ComponentName[];
  /** Changes that have to be reviewed; undefined if none have to be. */
  changes: ChangesRule | undefined;
  /** Accepts every violation for a limited time. */
  accept: ExpiryOverride | undefined;
}

export interface ChangesRule extends ReviewRule {
  /** Changes since then, inclusive: `DATE` or `SQL-TS`. */
  since: string;
  kinds: readonly ChangeKind[];
}

/** Something about a domain that a rule does not allow, or that comes close to it. */
export interface Finding {
  /** What it is about. */
  about: "registration" | "certificate" | "component" | "change" | "channel";
  /** `warning`: near its bound, or accepted by an exception. */
  severity: "warning" | "error";
  /** What it is and what to do, in one line without the domain's name. */
  message: string;
  /** Id of the change that has to be reviewed; null if it is about something else. */
  changeId: string | null;
}

export interface DomainVerdict extends Pick<ReturnType<typeof judgeExpiry>, "registration" | "certificate"> {
  findings: Finding[];
  /** What is wrong with components that no rule requires, and how old a check is if any age is allowed. */
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
): DomainVerdict {
  const { expiry, components, accept } = rules;
  const problems = componentProblems(domain, expiry, now);
  const { registration, certificate, findings: ofExpiry } = judgeExpiry(domain, expiry, now);
  const findings = [
    ...ofExpiry.flatMap(({ severity, ...finding }): Finding[] =>
      severity === "none" ? [] : [{ ...finding, severity, changeId: null }],
    ),
    ...problems
      .filter(({ component }) => components.includes(component))
      .map(({ problem }): Finding => violation("component", problem)),
    ...(rules.changes ? unreviewedChanges(changes, rules.changes) : []).map(unreviewed),
    ...others,
  ];
  return {
    registration,
    certificate,
    findings: findings.map((finding) => oneLineFinding(finding, accept, now)),
    remarks: [
      ...problems.filter(({ component }) => !components.includes(component)).map(({ problem }) => problem),
      ...(expiry.maximumAgeHours === undefined ? oldChecks(domain, now) : []),
    ].map(messageLine),
  };
}

/** A finding that no exception accepts. */
export function violation(about: Finding["about"], message: string, changeId: string | null = null): Finding {
  return { about, severity: "error", message, changeId };
}

/** An exception makes a violation a warning. */
function oneLineFinding(finding: Finding, accept: ExpiryOverride | undefined, now: Date): Finding {
  if (finding.severity === "warning" || !isInEffect(accept, now))
    return { ...finding, message: messageLine(finding.message) };
  const message = messageLine(finding.message + exceptionWords(accept, now));
  return { ...finding, severity: "warning", message };
}

/** Skips what is reported elsewhere: the certificate rule covers SSL, and the registration rule covers the age of WHOIS data. */
function componentProblems({ components }: Domain, expiry: DomainRules["expiry"], now: Date) {
  const { certificateDays, maximumAgeHours } = expiry;
  const problemOf = (component: ComponentName): string | undefined => {
    const title = component.toUpperCase();
    const { isEnabled, lastCheckedAt } = components[component];
    if (component === "ssl" && certificateDays !== undefined && !(isEnabled && lastCheckedAt))
      return undefined;
    if (!isEnabled) return `its ${title} checks are switched off: switch them on in the service`;
    if (component !== "ssl") {
      const { checkStatus } = components[component];
      if (checkStatus !== "HEALTHY")
        return `its ${title} check has the status ${checkStatus}: see why in the service`;
    }
    return component === "whois" ? undefined : stale(title, lastCheckedAt, maximumAgeHours, now);
  };
  return COMPONENTS.flatMap((component) => {
    const problem = problemOf(component);
    return problem === undefined ? [] : [{ component, problem }];
  });
}

/** Weekly is the only interval that the interface shows. */
const OLD_DAYS = 14;

function oldChecks({ components }: Domain, now: Date): string[] {
  return COMPONENTS.flatMap((component) => {
    const { isEnabled, lastCheckedAt } = components[component];
    const checked = toInstantWithOffset(lastCheckedAt ?? "");
    const days = checked ? dayNumber(now) - dayNumber(checked) : 0;
    return isEnabled && days > OLD_DAYS
      ? [`its last ${component.toUpperCase()} check was ${days} days ago`]
      : [];
  });
}

/** Ends with the line for the list of reviewed changes, so a long summary is cut. */
function unreviewed({ id, createdAt, summary }: DescribedChange): Finding {
  const what = `${oneLine(summary, 200)} (${createdAt})`;
  const line = `- ${isUuid(id) ? id : JSON.stringify(id)}`;
  return violation(
    "change",
    `has a change that nobody has reviewed, ${what}: if it was intended, add to changes.reviewed: ${line}`,
    id,
  );
}
