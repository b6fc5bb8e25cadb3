/** A policy on the expiry dates that a stack has recorded as outputs. */

import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { DomainMonitoringError } from "../client/errors";
import { toInstant } from "../client/timestamps";
import { count } from "../common/text";
import { ALERTS_TOKEN } from "../names";
import { daysUntil } from "../rules/days";
import { comparableName } from "../rules/domain-names";
import { exceptionWords, isInEffect, oneLine } from "../rules/expiry";
import { checkExpiryRule, type ExpiryOverride } from "../rules/expiry-rule";
import { type ConfigProperties, checkOptions, isFor, type PolicyOptions } from "./options";
import { quoted, read, UNKNOWN } from "./values";

/** Resource type and output in which an expiry date is recorded. */
export interface RecordedExpiry {
  /** Type token of the resource; `pulumi:pulumi:Stack` for the outputs of the program. */
  type: string;
  /** Output with the date, or null while it is unknown; may be a path such as `website.expiresAt`. */
  property: string;
}

/** Options of {@link requireRecordedExpiry}. */
export interface RequireRecordedExpiryOptions extends PolicyOptions {
  /** Days that must be left, 0 or more. A day is a UTC day, the expiry day is day 0. */
  minimumDays: number;
  /** Whether a domain with an unknown expiry passes. @default false */
  allowUnknown?: boolean;
  /** Resource types and outputs in which the dates are recorded. @default `expiresAt` of every `DomainAlerts` */
  recordedIn?: readonly RecordedExpiry[];
  /**
   * Exceptions by the name of the resource with the date, or of the domain beside an output; it must be in the stack, so in a pack for
   * several stacks give the policy its `stacks`. @default none
   */
  overrides?: Readonly<Record<string, ExpiryOverride>>;
  /** The time of the evaluation. @default now */
  now?: Date;
}

/**
 * Every expiry date that a stack has recorded must be far enough in the future. Evaluated after the program has run, in
 * previews too, and by `pulumi policy analyze` on the state alone. Dates unknown in a preview pass.
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function requireRecordedExpiry(options: RequireRecordedExpiryOptions): StackValidationPolicy {
  const { fields, inForce } = checkOptions(
    "domain-monitoring-recorded-expiry",
    options,
    CONFIG,
    (given) => [...ruleProblems(given), ...placeProblems(given.recordedIn ?? DEFAULT_PLACES)],
    ["now"],
  );
  return {
    ...fields,
    description: "Every registration that a stack has recorded lasts long enough.",
    validateStack: ({ resources, getConfig }, report) => {
      const given = inForce({ getConfig });
      const { recordedIn = DEFAULT_PLACES, overrides = {} } = given;
      const dates = resources
        .filter(({ urn }) => isFor(given, urn))
        .flatMap((resource) =>
          recordedIn
            .filter(({ type }) => type === resource.type)
            .map(({ property }): Recorded => ({ resource, property, domain: domainOf(resource, property) })),
        );
      reportUnused(overrides, dates, report);
      for (const date of dates) {
        const problem = judge(date, given, exceptionOf(overrides, date));
        if (problem) report(oneLine(problem), date.resource.urn);
      }
    },
  };
}

const CONFIG: ConfigProperties = {
  minimumDays: { type: "integer", minimum: 0 },
  allowUnknown: { type: "boolean" },
  recordedIn: { type: "array", items: textsOf("type", "property") },
  overrides: { type: "object", additionalProperties: textsOf("until", "reason") },
};

const DEFAULT_PLACES: readonly RecordedExpiry[] = [{ type: ALERTS_TOKEN, property: "expiresAt" }];

/** Type token of the program's outputs: a resource with the name of the stack. */
const STACK = "pulumi:pulumi:Stack";

/** Schema of an object with these texts. */
function textsOf(...names: string[]): ConfigProperties[string] {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  return { type: "object", properties, required: names };
}

/** A recorded date. */
interface Recorded {
  resource: PolicyResource;
  property: string;
  /** Of an output of the program: name of the domain that is an output beside it. */
  domain: string | typeof UNKNOWN | undefined;
}

type Overrides = Readonly<Record<string, ExpiryOverride>>;

/** The stack's name says nothing of a domain. One that is a secret, too, is public by its registration. */
function domainOf({ type, props }: PolicyResource, property: string): Recorded["domain"] {
  if (type !== STACK) return undefined;
  for (const name of ["domain", "domainName"]) {
    const value = read(props, property.slice(0, property.lastIndexOf(".") + 1) + name);
    if (value === UNKNOWN) return UNKNOWN;
    if (typeof value === "string" && comparableName(value)?.includes(".")) return value;
  }
  return undefined;
}

/** An exception whose date is not there excepts nothing: its name is misspelt, or the resource has gone. */
function reportUnused(
  overrides: Overrides,
  dates: readonly Recorded[],
  report: (message: string) => void,
): void {
  // A stack without any date has nothing that an override could name; what a preview does not know may be it.
  if (dates.length === 0 || dates.some(({ domain }) => domain === UNKNOWN)) return;
  const names = new Set(dates.flatMap(({ resource, domain }) => [resource.name, domain]));
  for (const name of Object.keys(overrides)) {
    if (names.has(name)) continue;
    report(
      `overrides names ${JSON.stringify(name)}, of which this stack has recorded no date: correct the name, remove the override, or limit the policy to its stacks`,
    );
  }
}

function exceptionOf(overrides: Overrides, { resource, domain }: Recorded): ExpiryOverride | undefined {
  return [domain, resource.name].flatMap((name) =>
    typeof name === "string" && Object.hasOwn(overrides, name) ? (overrides[name] ?? []) : [],
  )[0];
}

function judge(
  { resource, property, domain }: Recorded,
  { minimumDays, allowUnknown, advice = "renew it", now = new Date() }: RequireRecordedExpiryOptions,
  exception: ExpiryOverride | undefined,
): string | undefined {
  const recorded = read(resource.props, property);
  if (recorded === UNKNOWN || isInEffect(exception, now)) return undefined;
  const place = `${property} of ${typeof domain === "string" ? domain : quoted(resource)}`;
  if (recorded === undefined) {
    return `${place} is not recorded: make it an output, or correct recordedIn in the policy`;
  }
  const ended = exceptionWords(exception, now);
  if (recorded === null) {
    if (allowUnknown) return undefined;
    return `${place} is not known yet: wait for the domain's first WHOIS check, or run it by hand${ended}`;
  }
  // The value is not shown: it may be a secret.
  if (typeof recorded !== "string" || !toInstant(recorded))
    return `${place} is not a valid date: correct recordedIn in the policy`;
  const days = daysUntil(recorded, now);
  if (days >= minimumDays) return undefined;
  const when = days < 0 ? `${count(-days, "day")} ago` : days === 0 ? "today" : `in ${count(days, "day")}`;
  const verb = days < 0 ? "expired" : "expires";
  const unnamed = `the domain of ${resource.type === STACK ? `output ${property}` : quoted(resource)}`;
  const subject = typeof domain === "string" ? domain : unnamed;
  return `${subject} ${verb} on ${recorded}, ${when}, and ${count(minimumDays, "day")} must be left: ${advice}${ended}`;
}

/** Checks numbers and dates by the same rules as in a program. */
function ruleProblems({ minimumDays, overrides = {}, now }: RequireRecordedExpiryOptions): string[] {
  const rules = [
    { minimumDays, now },
    ...Object.values(overrides).map((override) => ({ minimumDays: 0, override })),
  ];
  return rules.flatMap((rule) => {
    try {
      checkExpiryRule(rule);
      return [];
    } catch (error) {
      if (error instanceof DomainMonitoringError) return [error.message.replace(/^[^:]*: /, "")];
      throw error;
    }
  });
}

function placeProblems(places: readonly RecordedExpiry[]): string[] {
  const valid =
    Array.isArray(places) &&
    places.length > 0 &&
    places.every(
      ({ type, property }) => typeof type === "string" && typeof property === "string" && type && property,
    );
  return valid ? [] : ["recordedIn must be a list of objects, each with a type and a property"];
}
