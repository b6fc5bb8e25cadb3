/** A policy on the expiry dates that a stack has recorded as outputs. */

import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { DomainMonitoringError } from "../client/errors";
import { toInstant } from "../client/timestamps";
import { count } from "../common/text";
import { ALERTS_TOKEN } from "../names";
import { daysUntil } from "../rules/days";
import { checkExpiryRule, type ExpiryOverride } from "../rules/expiry-rule";
import { checkOptions, isFor, type PolicyOptions } from "./options";
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
   * Exceptions by the name of the resource with the date, which must be in the stack; in a pack for several stacks, give the policy
   * its `stacks`. @default none
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
  const { minimumDays, overrides = {} } = options;
  const recordedIn = options.recordedIn ?? [{ type: ALERTS_TOKEN, property: "expiresAt" }];
  const keys = ["minimumDays", "allowUnknown", "recordedIn", "overrides", "now"];
  const common = checkOptions("domain-monitoring-recorded-expiry", options, keys, [
    ...ruleProblems(options),
    ...placeProblems(recordedIn),
  ]);
  const advice = options.advice ?? "renew it";
  return {
    ...common,
    description: `Every registration that a stack has recorded lasts at least ${count(minimumDays, "day")}.`,
    validateStack: ({ resources }, report) => {
      const now = options.now ?? new Date();
      const dated = resources.filter(
        ({ type, urn }) => isFor(options, urn) && recordedIn.some((place) => place.type === type),
      );
      // A stack without any date has nothing that an override could name.
      if (dated.length > 0) reportUnused(overrides, dated, report);
      for (const resource of dated.filter((one) => !isExcepted(overrides, one.name, now))) {
        for (const { property } of recordedIn.filter(({ type }) => type === resource.type)) {
          const problem = judge(resource, property, options, advice, now);
          if (problem) report(problem, resource.urn);
        }
      }
    },
  };
}

/** An exception whose resource is not there excepts nothing: its name is misspelt, or the resource has gone. */
function reportUnused(
  overrides: Readonly<Record<string, ExpiryOverride>>,
  dated: readonly PolicyResource[],
  report: (message: string) => void,
): void {
  for (const name of Object.keys(overrides)) {
    if (dated.some((resource) => resource.name === name)) continue;
    report(
      `overrides names ${JSON.stringify(name)}, of which this stack has recorded no date: correct the name, remove the override, or limit the policy to its stacks`,
    );
  }
}

/** Whether an exception for a resource applies today; its last day is included. */
function isExcepted(
  overrides: Readonly<Record<string, ExpiryOverride>>,
  resource: string,
  now: Date,
): boolean {
  const override = Object.hasOwn(overrides, resource) ? overrides[resource] : undefined;
  return override !== undefined && daysUntil(override.until, now) >= 0;
}

function judge(
  resource: PolicyResource,
  property: string,
  { minimumDays, allowUnknown }: RequireRecordedExpiryOptions,
  advice: string,
  now: Date,
): string | undefined {
  const recorded = read(resource.props, property);
  if (recorded === UNKNOWN) return undefined;
  const place = `${property} of ${quoted(resource)}`;
  if (recorded === undefined) {
    return `${place} is not recorded: make it an output, or correct recordedIn in the policy`;
  }
  if (recorded === null) {
    if (allowUnknown) return undefined;
    return `${place} is not known yet: wait for the domain's first WHOIS check, or run it by hand`;
  }
  // The value is not shown: it may be a secret.
  if (typeof recorded !== "string" || !toInstant(recorded))
    return `${place} is not a valid date: correct recordedIn in the policy`;
  const days = daysUntil(recorded, now);
  if (days >= minimumDays) return undefined;
  const when = days < 0 ? `${count(-days, "day")} ago` : days === 0 ? "today" : `in ${count(days, "day")}`;
  const verb = days < 0 ? "expired" : "expires";
  return `the domain of ${quoted(resource)} ${verb} on ${recorded}, ${when}, and ${count(minimumDays, "day")} must be left: ${advice}`;
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
