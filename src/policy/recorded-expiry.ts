/** A policy on the expiry dates that a stack has recorded as outputs. */

import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { toInstant } from "../client/timestamps";
import { count, messageLine } from "../common/text";
import { ALERTS_TOKEN } from "../names";
import { daysUntil } from "../rules/days";
import { comparableName } from "../rules/domain-names";
import {
  boundWords,
  type ExpiryOverride,
  exceptionWords,
  expiryRuleProblems,
  isInEffect,
} from "../rules/expiry-rule";
import {
  type ConfigProperties,
  checkOptions,
  isFor,
  type PolicyOption,
  type PolicyOptions,
} from "./options";
import { read, UNKNOWN } from "./values";

/** Resource type and output in which an expiry date is recorded. */
export interface RecordedExpiry {
  /** Type token of the resource; `pulumi:pulumi:Stack` for the outputs of the program. */
  type: string;

  /**
   * Output with the date, or null while it is unknown; may be a path such as `website.expiresAt`.
   */
  property: string;
}

/** Options of {@link requireRecordedExpiry}. */
export interface RequireRecordedExpiryOptions extends PolicyOptions {
  /** Days that must be left, 0 or more. A day is a UTC day, the expiry day is day 0. */
  minimumDays: number;

  /** Whether a domain with an unknown expiry passes. @default false */
  allowUnknown?: boolean;

  /**
   * Resource types and outputs in which the dates are recorded. @default `expiresAt` of every
   * `DomainAlerts`
   */
  recordedIn?: readonly RecordedExpiry[];

  /**
   * Exceptions, keyed by resource name or, for an output, by the domain name next to it. Every key
   * must exist in the stack: set `stacks` if the pack serves several. @default none
   */
  overrides?: Readonly<Record<string, ExpiryOverride>>;

  /** The time of the evaluation. @default now */
  now?: Date;
}

/**
 * Every expiry date that a stack has recorded must be far enough in the future. Evaluated after the
 * program has run, even in previews, and by `pulumi policy analyze` on the state alone. Dates
 * unknown in a preview pass.
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function requireRecordedExpiry(
  options: RequireRecordedExpiryOptions,
): StackValidationPolicy {
  const { fields, inForce } = checkOptions(options, {
    name: "domain-monitoring-recorded-expiry",
    description: "Every registration that a stack has recorded lasts long enough.",
    options: OPTIONS,
  });

  return {
    ...fields,
    validateStack: ({ resources, getConfig }, report) => {
      const given = inForce({ getConfig });
      const { recordedIn = DEFAULT_PLACES, overrides = {} } = given;
      const dates = resources
        .filter(({ urn }) => isFor(given, urn))
        .flatMap((resource) =>
          recordedIn
            .filter(({ type }) => type === resource.type)
            .map(
              ({ property }): Recorded => ({
                resource,
                property,
                domain: domainOf(resource, property),
              }),
            ),
        );

      for (const name of unusedNames(overrides, dates))
        report(
          `overrides has ${JSON.stringify(name)}, but this stack has recorded no date for it: correct the name, remove the override, or limit the policy to its stacks`,
        );

      for (const date of dates) {
        const problem = judge(date, given);
        if (problem) report(messageLine(problem), date.resource.urn);
      }
    },
  };
}

/** Numbers, dates and exceptions are checked as in a program. */
const OPTIONS: Record<string, PolicyOption> = {
  minimumDays: {
    schema: { type: "integer", minimum: 0 },
    problemsOf: (minimumDays) => expiryRuleProblems({ minimumDays }),
  },
  allowUnknown: { schema: { type: "boolean" } },
  now: { problemsOf: (now) => expiryRuleProblems({ minimumDays: 0, now }) },
  overrides: {
    schema: { type: "object", additionalProperties: textsOf("until", "reason") },
    problemsOf: (overrides) =>
      Object.values(overrides ?? {}).flatMap((override) =>
        expiryRuleProblems({ minimumDays: 0, override }),
      ),
  },
  recordedIn: {
    schema: { type: "array", items: textsOf("type", "property") },
    problemsOf: (places = DEFAULT_PLACES) =>
      arePlaces(places)
        ? []
        : ["recordedIn must be a list of objects, each with a type and a property"],
  },
};

const DEFAULT_PLACES: readonly RecordedExpiry[] = [{ type: ALERTS_TOKEN, property: "expiresAt" }];

/** Type token of the program's outputs: a resource with the name of the stack. */
const STACK = "pulumi:pulumi:Stack";

function textsOf(...names: string[]): ConfigProperties[string] {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  return {
    type: "object",
    properties,
    required: names,
  };
}

interface Recorded {
  resource: PolicyResource;
  property: string;

  /** For an output of the program: name of the domain that is an output beside it. */
  domain: string | typeof UNKNOWN | undefined;
}

/**
 * The stack's name does not identify the domain. Use the domain output even if it is secret:
 * registered names are public.
 */
function domainOf({ type, props }: PolicyResource, property: string): Recorded["domain"] {
  if (type !== STACK) return undefined;
  const parents = property.split(".").slice(0, -1);

  for (const name of ["domain", "domainName"]) {
    const value = read(props, [...parents, name].join("."));
    if (value === UNKNOWN) return UNKNOWN;
    if (typeof value === "string" && comparableName(value)?.includes(".")) return value;
  }

  return undefined;
}

/** Names of exceptions that match no date: they are misspelt, or the resource is gone. */
function unusedNames(overrides: object, dates: readonly Recorded[]): string[] {
  // Without any date in the stack there is nothing to match, and an unknown name of a preview may
  // turn out to be the one.
  if (dates.length === 0 || dates.some(({ domain }) => domain === UNKNOWN)) return [];
  const names = new Set(dates.flatMap(({ resource, domain }) => [resource.name, domain]));

  return Object.keys(overrides).filter((name) => !names.has(name));
}

function judge(
  { resource, property, domain }: Recorded,
  {
    minimumDays,
    allowUnknown,
    overrides = {},
    advice = "renew it",
    now = new Date(),
  }: RequireRecordedExpiryOptions,
): string | undefined {
  const recorded = read(resource.props, property);
  const exceptions = new Map<unknown, ExpiryOverride>(Object.entries(overrides));
  const exception = exceptions.get(domain) ?? exceptions.get(resource.name);
  if (recorded === UNKNOWN || isInEffect(exception, now)) return undefined;

  const output = `${property} of ${typeof domain === "string" ? domain : JSON.stringify(resource.name)}`;
  if (recorded === undefined)
    return `${output} is not recorded: make it an output, or correct recordedIn in the policy`;

  const ended = exceptionWords(exception, now);
  if (recorded === null) {
    if (allowUnknown) return undefined;
    return `${output} is not known yet: wait for the domain's first WHOIS check, or run it by hand${ended}`;
  }

  // The value is not shown: it may be a secret.
  if (typeof recorded !== "string" || !toInstant(recorded))
    return `${output} is not a valid date: correct recordedIn in the policy`;

  const days = daysUntil(recorded, now);
  if (days >= minimumDays) return undefined;

  const place = resource.type === STACK ? `output ${property}` : JSON.stringify(resource.name);
  const subject = typeof domain === "string" ? domain : `the domain of ${place}`;
  if (days < 0)
    return `${subject} expired on ${recorded}, ${count(-days, "day")} ago: ${advice}${ended}`;

  return `${subject} expires on ${recorded}, ${boundWords(days, minimumDays, advice)}${ended}`;
}

function arePlaces(places: unknown): boolean {
  const isText = (value: unknown) => typeof value === "string" && value !== "";

  return (
    Array.isArray(places) &&
    places.length > 0 &&
    places.every(({ type, property }) => isText(type) && isText(property))
  );
}
