/**
 * Validates a channel's inputs by the interface's rules (section 4.4), before anything is sent. Pure. All problems are
 * reported at once, no message repeats a value, and unknown values pass.
 */

import { CHANNEL_FIELDS, CHANNEL_RULES, formProblem, isOneOf } from "../client/channel-rules";
import { UNKNOWN } from "../common/markers";
import { isUuid } from "../common/uuid";
import { FLAGS, LIFECYCLES } from "../names";
import type { Properties } from "./boundary";

/** Inputs that are sent to the service: a change of any of them replaces the channel. */
export const SERVICE_INPUTS = ["domainId", ...CHANNEL_FIELDS] as const;

/** Inputs that only this package uses. The program adds `secretLabel`, as the engine sends secrets like other values. */
const OWN_INPUTS = ["lifecycle", "onOrphan", "adopt", "secretLabel"] as const;

/** All inputs, in the order in which they are stored. */
export const INPUTS = [...SERVICE_INPUTS, ...OWN_INPUTS] as const;

/** Validates inputs, and returns them as they are stored. Those with warnings may be right. */
export function checkInputs(declared: Properties): {
  inputs: Properties;
  problems: string[];
  warnings: string[];
} {
  const problems: string[] = [];
  for (const [name, rule] of Object.entries(RULES)) {
    if (hasUnknown(declared[name])) continue;
    const problem = rule(declared[name], declared);
    if (problem) problems.push(`${name} ${problem}`);
  }
  for (const name of Object.keys(declared)) {
    if (!isOneOf(INPUTS, name))
      problems.push(`${name} is not a property of a notification channel: remove it`);
  }
  const warnings = problems.length === 0 ? warningsFor(declared) : [];
  const inputs = normalise(declared);
  // The size of the state dominates the time of an update of many channels.
  for (const flag of FLAGS) if ((declared[flag] ?? null) === null) delete inputs[flag];
  return { inputs, problems, warnings };
}

/**
 * The form in which inputs are compared and repeated as outputs: flags are explicit (the service treats a missing flag and
 * null as true), other null or default values are omitted if that means the same.
 */
export function normalise(declared: Properties): Properties {
  const inputs: Properties = {};
  for (const name of INPUTS) {
    if (declared[name] !== undefined) inputs[name] = declared[name];
  }
  for (const flag of FLAGS) inputs[flag] = declared[flag] ?? true;
  if (declared.secondaryValue === null) delete inputs.secondaryValue;
  if (declared.onOrphan === null || declared.onOrphan === "warn") delete inputs.onOrphan;
  if (declared.lifecycle === null || declared.lifecycle === LIFECYCLES[0]) delete inputs.lifecycle;
  if (declared.adopt === null) delete inputs.adopt;
  if (declared.secretLabel !== true) delete inputs.secretLabel;
  return inputs;
}

/** Whether an input differs between two declarations or records in normal form. */
export function isChanged(name: string, before: Properties, after: Properties): boolean {
  return (before[name] ?? null) !== (after[name] ?? null);
}

type Rule = (value: unknown, declared: Properties) => string | undefined;

const RULES: Record<(typeof INPUTS)[number], Rule> = {
  domainId: (value) => {
    if (value === undefined || value === null) return "is missing: give the id of the monitored domain";
    if (!isText(value)) return "is not a string: give the id of the monitored domain";
    // These would change the path. The client refuses them too, but only after the preview.
    const isId = value.trim() !== "" && value !== "." && value !== "..";
    return isId ? undefined : "is not a valid id: give the id of the monitored domain";
  },
  ...CHANNEL_RULES,
  value: (value, declared) => CHANNEL_RULES.value(value, declared) ?? formProblem(value, declared),
  onOrphan: (value) =>
    value === undefined || value === null || value === "warn" || value === "error"
      ? undefined
      : "is not a valid value: use warn or error, or leave it out",
  lifecycle: (value) =>
    value === undefined || value === null || isOneOf(LIFECYCLES, value)
      ? undefined
      : `is not a valid lifecycle: use ${LIFECYCLES.join(" or ")}, or leave it out`,
  adopt: (value, { lifecycle }) => {
    if (value === undefined || value === null) return undefined;
    if (!isUuid(value)) return "is not a valid channel id: give the UUID of a channel that exists";
    if (lifecycle === "managed" || hasUnknown(lifecycle)) return undefined;
    return 'needs lifecycle "managed": a create-only channel can only be created';
  },
  secretLabel: CHANNEL_RULES.dnsNotificationsEnabled,
};

/** Chat services take their messages at https URLs; the interface does not say so, so this is only a warning. */
function warningsFor({ type, value }: Properties): string[] {
  const takesUrl = type === "discord" || type === "slack" || type === "ms_teams";
  if (!takesUrl || !isText(value) || value === UNKNOWN || /^https:\/\/\S+$/i.test(value)) return [];
  return [
    `value does not look like the https webhook URL that a channel of type ${type} usually has: check it`,
  ];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}
