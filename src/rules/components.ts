/** The rules for a domain, and the findings about its monitored components. Pure. */
import { toInstant } from "../client/timestamps";
import type { Domain, DomainComponents } from "../client/types";
import { DAY_MS, servedDate } from "./days";
import { type RegistrationRule, stale } from "./expiry";
import type { Bound } from "./expiry-rule";
import { type Exception, type Finding, finding } from "./finding";

/** The monitored components, by their names in the rules. */
export const COMPONENTS = [
  "whois",
  "dns",
  "ssl",
] as const satisfies readonly (keyof DomainComponents)[];

/** One of {@link COMPONENTS}. */
export type ComponentName = (typeof COMPONENTS)[number];

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
  accept: readonly Exception[];
}

/** Problems of the components, whether they are required or not. */
export function componentProblems(
  { components }: Domain,
  { registration, certificate, maximumAgeHours }: DomainRules,
  now: Date,
): Finding[] {
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
        state: checkStatus ?? "unknown",
        text: `its ${title} check has the status ${checkStatus ?? "unknown"}: see why in the service`,
      };
    }

    // The rule for registrations covers the age of WHOIS data, that for certificates a first check.
    if (component === "whois" && registration) return undefined;
    if (component === "ssl" && certificate && lastCheckedAt === null) return undefined;

    const text = stale(title, lastCheckedAt, maximumAgeHours, now);

    return text === undefined ? undefined : { state: "stale", text };
  };

  return COMPONENTS.flatMap((about) => {
    const problem = problemOf(about);
    return problem === undefined ? [] : [finding({ kind: "component", about, ...problem })];
  });
}

/** Time that the service has for its first checks. */
const FIRST_CHECKS_MS = 7 * DAY_MS;

/** A new domain that was not checked yet gets one warning for everything that it lacks. */
export function withPatience(domain: Domain, findings: Finding[], now: Date): Finding[] {
  if (!isUncheckedYet(domain, now)) return findings;

  const rest = findings.filter((found) => !lacksCheck(found));
  const text = `was added on ${domain.createdAt} and is not checked yet: this is a violation after 7 days`;
  const warning = finding({
    kind: "component",
    about: "whois",
    state: "unchecked",
    verdict: "warn",
    text,
  });

  return rest.length < findings.length ? [...rest, warning] : findings;
}

function isUncheckedYet({ components, createdAt }: Domain, now: Date): boolean {
  const isChecked = COMPONENTS.some(
    (component) => servedDate(components[component].lastCheckedAt).text !== null,
  );

  const created = toInstant(createdAt);

  return !isChecked && created !== undefined && now.getTime() - created.getTime() < FIRST_CHECKS_MS;
}

/** Whether only a first check is missing. */
function lacksCheck({ kind, state }: Finding): boolean {
  const isOfDate = kind === "registration" || kind === "certificate";
  const lacksDate = isOfDate && (state === "unknown" || state === "stale");

  return lacksDate || (kind === "component" && state !== "off");
}
