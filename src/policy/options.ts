/** The options that all policies share, and their validation when a pack is loaded. */
import type { EnforcementLevel } from "@pulumi/policy";
import { DomainMonitoringError } from "../client/errors";
import { CHANNEL_TYPES, type ChannelType } from "../client/types";
import { quiet } from "../program/end-program";

/** Options of every policy. */
export interface PolicyOptions {
  /** Id of the policy, by which its pack keeps levels: where a policy is used twice, the second needs one. @default the policy's own */
  name?: string;
  /** Effect of a violation. @default the pack's */
  enforcementLevel?: EnforcementLevel;
  /** Stacks that the policy applies to: at least one name, or pattern of names. @default every stack */
  stacks?: string | RegExp | readonly (string | RegExp)[];
  /** Advice on what to do about a violation; appended to its message. @default the policy's own */
  advice?: string;
}

const COMMON_KEYS = ["name", "enforcementLevel", "stacks", "advice"];
const LEVELS = ["advisory", "mandatory", "remediate", "disabled"];

/** Names of this process's policies: of two with one name, the engine would give both the level of the last. */
const taken = new Set<string>();

/**
 * Checks the options of a policy.
 * @param defaultName its name unless the options have one
 * @param keys names of the policy's own options
 * @param problems problems already found
 * @returns the fields that every policy takes from its options
 * @throws DomainMonitoringError of kind `validation` with all problems, without a stack trace
 */
export function checkOptions(
  defaultName: string,
  options: PolicyOptions,
  keys: readonly string[],
  problems: readonly string[],
): { name: string; enforcementLevel: EnforcementLevel | undefined } {
  const { name = defaultName, enforcementLevel, stacks } = options;
  const all = [...problems];
  if (enforcementLevel !== undefined && !LEVELS.includes(enforcementLevel))
    all.push(`enforcementLevel must be one of ${LEVELS.join(", ")}`);
  if (stacks !== undefined) all.push(...stackProblems(listOf(stacks)));
  for (const key of Object.keys(options)) {
    if (![...COMMON_KEYS, ...keys].includes(key)) all.push(`${key} is not an option of it: remove it`);
  }
  if (taken.has(name)) all.push("another policy has its name: give one of them another with `name`");
  if (all.length > 0)
    throw quiet(
      new DomainMonitoringError("validation", `the policy ${name} is not valid: ${all.join("; ")}`),
    );
  taken.add(name);
  return { name, enforcementLevel };
}

/** A policy for no stack would pass everywhere. */
function stackProblems(stacks: readonly (string | RegExp)[]): string[] {
  if (
    !Array.isArray(stacks) ||
    stacks.some((stack) => typeof stack !== "string" && !(stack instanceof RegExp))
  )
    return ["stacks must be names or regular expressions"];
  return stacks.length === 0 || stacks.includes("")
    ? ["stacks must name at least one stack, each by a name that is not empty: leave it out for every stack"]
    : [];
}

/** Problems of a list of channel types. */
export function typeProblems(types: readonly ChannelType[]): string[] {
  if (!Array.isArray(types) || types.length === 0) return ["types must name at least one channel type"];
  const known: readonly string[] = CHANNEL_TYPES;
  return types.every((type) => known.includes(type))
    ? []
    : [`types must be some of ${CHANNEL_TYPES.join(", ")}`];
}

/** Whether a policy applies to the stack of a resource. */
export function isFor({ stacks }: PolicyOptions, urn: string): boolean {
  if (stacks === undefined) return true;
  const name = stackOf(urn);
  return listOf(stacks).some((stack) => (typeof stack === "string" ? stack === name : matches(stack, name)));
}

/** Name of the stack in a URN. */
export function stackOf(urn: string): string {
  return (urn.split("::", 1)[0] ?? "").slice("urn:pulumi:".length);
}

/** Whether a text matches a pattern. Unlike `test`, `search` ignores `lastIndex`. */
export function matches(pattern: RegExp, text: string): boolean {
  return text.search(pattern) >= 0;
}

/** The given stacks as a list; empty if there are none. */
function listOf(stacks: PolicyOptions["stacks"]): readonly (string | RegExp)[] {
  if (stacks === undefined) return [];
  return typeof stacks === "string" || stacks instanceof RegExp ? [stacks] : stacks;
}
