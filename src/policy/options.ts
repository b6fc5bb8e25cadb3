/** The options that all policies share, and their validation when a pack is loaded. */
import type { EnforcementLevel, PolicyConfigSchema, ResourceValidationArgs } from "@pulumi/policy";
import { DomainMonitoringError } from "../client/errors";
import { CHANNEL_TYPES, type ChannelType } from "../client/types";
import { parseUrn } from "../common/urn";
import { quiet } from "../program/end-program";

/**
 * Options of every policy. The config of the pack comes before all but `name`: see the page of
 * policies.
 */
export interface PolicyOptions {
  /**
   * Name of the policy. Pulumi stores enforcement levels by name, so give each use of the same
   * policy its own. @default the policy's own
   */
  name?: string;

  /** Effect of a violation. @default the pack's */
  enforcementLevel?: EnforcementLevel;

  /**
   * Stacks that the policy applies to: at least one name, or pattern of names. @default every stack
   */
  stacks?: string | RegExp | readonly (string | RegExp)[];

  /** Advice on what to do about a violation; appended to its message. @default the policy's own */
  advice?: string;
}

const LEVELS = ["advisory", "mandatory", "remediate", "disabled"];

export type ConfigProperties = PolicyConfigSchema["properties"];

const COMMON_PROPERTIES: ConfigProperties = {
  stacks: { type: ["string", "array"], items: { type: "string" } },
  advice: { type: "string" },
};

/** The parts in which one policy differs from another. */
export interface PolicyKind<Options> {
  /** Its name unless the options have one. */
  name: string;
  description: string;
  properties?: ConfigProperties;

  /** Options that the pack's config may not give. */
  programOnly?: readonly string[];
  problemsOf?: (options: Options) => string[];
}

/**
 * Checks the options of a policy, and makes of them the fields that every policy has. `inForce`
 * returns those of the pack's config before those of the program, and checks them too.
 * @throws DomainMonitoringError of kind `validation` with all problems, without a stack trace
 */
export function checkOptions<Options extends PolicyOptions>(
  options: Options,
  { description, properties, programOnly = [], problemsOf = () => [], ...own }: PolicyKind<Options>,
) {
  const { name = own.name, enforcementLevel } = options;
  const configSchema = { properties: { ...COMMON_PROPERTIES, ...properties } };
  const keys = Object.keys(configSchema.properties);
  const problems = [
    ...problemsOf(options),
    ...stackProblems(options),
    ...(enforcementLevel === undefined || LEVELS.includes(enforcementLevel)
      ? []
      : [`enforcementLevel must be one of ${LEVELS.join(", ")}`]),
    ...unknownOptions(options, ["name", "enforcementLevel", ...keys, ...programOnly]),
  ];

  refuse(`the policy ${name}`, problems);

  return {
    fields: { name, description, enforcementLevel, configSchema },
    inForce: ({ getConfig }: Pick<ResourceValidationArgs, "getConfig">): Options => {
      const config = getConfig<Partial<Options>>();
      if (Object.keys(config).length === 0) return options;

      const given = { ...options, ...config };
      // The engine has checked types, but not that every name is known.
      const wrong = [
        ...problemsOf(given),
        ...stackProblems(given),
        ...unknownOptions(config, keys),
      ];

      refuse(`the config of the policy ${name}`, wrong);

      return given;
    },
  };
}

function refuse(what: string, problems: readonly string[]): void {
  if (problems.length > 0)
    throw quiet(
      new DomainMonitoringError("validation", `${what} is not valid: ${problems.join("; ")}`),
    );
}

function unknownOptions(given: object, known: readonly string[]): string[] {
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  return unknown.map((key) => `${key} is not an option of this policy: remove it`);
}

/** A policy for no stack would pass everywhere. */
function stackProblems({ stacks: given }: PolicyOptions): string[] {
  if (given === undefined) return [];

  const stacks = listOf(given);
  if (
    !Array.isArray(stacks) ||
    stacks.some((one) => typeof one !== "string" && !(one instanceof RegExp))
  )
    return ["stacks must be names or regular expressions"];

  return stacks.length === 0 || stacks.includes("")
    ? [
        "stacks must name at least one stack, each by a name that is not empty: leave it out for every stack",
      ]
    : [];
}

export const TYPES: ConfigProperties[string] = {
  type: "array",
  items: { enum: [...CHANNEL_TYPES] },
  minItems: 1,
};

export function typeProblems({ types }: { types: readonly ChannelType[] }): string[] {
  if (!Array.isArray(types) || types.length === 0)
    return ["types must name at least one channel type"];

  const known: readonly string[] = CHANNEL_TYPES;

  return types.every((type) => known.includes(type))
    ? []
    : [`types may only contain ${CHANNEL_TYPES.join(", ")}`];
}

/** Whether a policy applies to the stack of a resource. */
export function isFor({ stacks }: PolicyOptions, urn: string): boolean {
  if (stacks === undefined) return true;
  const { stack: name } = parseUrn(urn);

  return listOf(stacks).some((stack) =>
    typeof stack === "string" ? stack === name : matches(stack, name),
  );
}

/** Whether a string matches a pattern. Unlike `test`, `search` ignores `lastIndex`. */
export function matches(pattern: RegExp, text: string): boolean {
  return text.search(pattern) >= 0;
}

function listOf(stacks: NonNullable<PolicyOptions["stacks"]>): readonly (string | RegExp)[] {
  return typeof stacks === "string" || stacks instanceof RegExp ? [stacks] : stacks;
}
