/** The options that all policies share, and their validation when a pack is loaded. */
import type { EnforcementLevel, Policy, PolicyConfigSchema, ResourceValidationArgs } from "@pulumi/policy";
import { DomainMonitoringError } from "../client/errors";
import { CHANNEL_TYPES, type ChannelType } from "../client/types";
import { quiet } from "../program/end-program";

/** Options of every policy. The config of the pack comes before all but `name`: see the page of policies. */
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

const LEVELS = ["advisory", "mandatory", "remediate", "disabled"];

/** JSON schema of options that a pack's config may give. */
export type ConfigProperties = PolicyConfigSchema["properties"];

const COMMON_PROPERTIES: ConfigProperties = {
  stacks: { type: ["string", "array"], items: { type: "string" } },
  advice: { type: "string" },
};

/** What a policy's options make of it. */
interface Checked<Options> {
  /** The fields that every policy takes from its options. */
  fields: Required<Pick<Policy, "name" | "configSchema">> & Pick<Policy, "enforcementLevel">;
  /**
   * The options in force: those of the pack's config, then those of the program.
   * @throws DomainMonitoringError of kind `validation` with all problems of the config, without a stack trace
   */
  inForce: (args: Pick<ResourceValidationArgs, "getConfig">) => Options;
}

/** Names of this process's policies: of two with one name, the engine would give both the level of the last. */
const taken = new Set<string>();

/**
 * Checks the options of a policy.
 * @param defaultName its name unless the options have one
 * @param properties the policy's own options
 * @param check finds problems of its own options
 * @param programOnly names of its own options that the pack's config may not give
 * @throws DomainMonitoringError of kind `validation` with all problems, without a stack trace
 */
export function checkOptions<Options extends PolicyOptions>(
  defaultName: string,
  options: Options,
  properties: ConfigProperties,
  check: (options: Options) => string[],
  programOnly: readonly string[] = [],
): Checked<Options> {
  const { name = defaultName, enforcementLevel } = options;
  const configSchema = { properties: { ...COMMON_PROPERTIES, ...properties } };
  const keys = Object.keys(configSchema.properties);
  const problemsOf = (given: Options) => [
    ...check(given),
    ...(given.stacks === undefined ? [] : stackProblems(listOf(given.stacks))),
  ];
  const unknown = (given: object, known: readonly string[]) =>
    Object.keys(given)
      .filter((key) => !known.includes(key))
      .map((key) => `${key} is not an option of it: remove it`);
  const problems = problemsOf(options);
  if (enforcementLevel !== undefined && !LEVELS.includes(enforcementLevel))
    problems.push(`enforcementLevel must be one of ${LEVELS.join(", ")}`);
  problems.push(...unknown(options, ["name", "enforcementLevel", ...keys, ...programOnly]));
  if (taken.has(name)) problems.push("another policy has its name: give one of them another with `name`");
  refuse(`the policy ${name}`, problems);
  taken.add(name);
  return {
    fields: { name, enforcementLevel, configSchema },
    inForce: ({ getConfig }) => {
      const config = getConfig<Partial<Options>>();
      if (Object.keys(config).length === 0) return options;
      const configured = { ...options, ...config };
      // The engine has checked types, but not that every name is known.
      refuse(`the config of the policy ${name}`, [...problemsOf(configured), ...unknown(config, keys)]);
      return configured;
    },
  };
}

function refuse(what: string, problems: readonly string[]): void {
  if (problems.length > 0)
    throw quiet(new DomainMonitoringError("validation", `${what} is not valid: ${problems.join("; ")}`));
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

/** Schema of a list of channel types. */
export const TYPES: ConfigProperties[string] = {
  type: "array",
  items: { enum: [...CHANNEL_TYPES] },
  minItems: 1,
};

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
