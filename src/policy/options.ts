/** The options that all policies share, and their validation when a pack is loaded. */
import type { EnforcementLevel, PolicyConfigSchema, ResourceValidationArgs } from "@pulumi/policy";
import { DomainMonitoringError } from "../client/errors";
import { CHANNEL_TYPES } from "../client/types";
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

const LEVELS: readonly unknown[] = ["advisory", "mandatory", "remediate", "disabled"];

export type ConfigProperties = PolicyConfigSchema["properties"];

/** An option of a policy. */
export interface PolicyOption {
  /** Its schema in the pack's config. @default only the program may give it */
  schema?: ConfigProperties[string];

  /** The problems of a value, which is undefined where the option is left out. @default none */
  problemsOf?: (value: unknown) => string[];
}

const COMMON_OPTIONS: Record<string, PolicyOption> = {
  stacks: {
    schema: { type: ["string", "array"], items: { type: "string" } },
    problemsOf: stackProblems,
  },
  advice: { schema: { type: "string" } },
  name: {},
  enforcementLevel: {
    problemsOf: (level) =>
      level === undefined || LEVELS.includes(level)
        ? []
        : [`enforcementLevel must be one of ${LEVELS.join(", ")}`],
  },
};

/** The parts in which one policy differs from another. */
export interface PolicyKind {
  /** Its name unless the options have one. */
  name: string;
  description: string;

  /** Its options besides the ones of every policy. */
  options?: Record<string, PolicyOption>;
}

/**
 * Checks the options of a policy, and makes of them the fields that every policy has. `inForce`
 * returns the options of the pack's config before the program's, and also checks them.
 * @throws DomainMonitoringError of kind `validation` with all problems, without a stack trace
 */
export function checkOptions<Options extends PolicyOptions>(options: Options, kind: PolicyKind) {
  const { name = kind.name, enforcementLevel } = options;
  const known = { ...kind.options, ...COMMON_OPTIONS };
  const problemsOf = (given: Options) =>
    Object.entries(known).flatMap(
      ([key, { problemsOf: check }]) => check?.(Reflect.get(given, key)) ?? [],
    );

  const schemas = Object.entries(known).flatMap(([key, { schema }]) =>
    schema ? [[key, schema] as const] : [],
  );

  const configSchema = { properties: Object.fromEntries(schemas) };

  refuse(`the policy ${name}`, [...problemsOf(options), ...unknownOptions(options, known)]);

  return {
    fields: { name, description: kind.description, enforcementLevel, configSchema },
    inForce: ({ getConfig }: Pick<ResourceValidationArgs, "getConfig">): Options => {
      const config = getConfig<Partial<Options>>();
      if (Object.keys(config).length === 0) return options;

      const given = { ...options, ...config };
      // The engine has checked types, but not that every name is known.
      const unknown = unknownOptions(config, configSchema.properties);

      refuse(`the config of the policy ${name}`, [...problemsOf(given), ...unknown]);

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

function unknownOptions(given: object, known: object): string[] {
  const unknown = Object.keys(given).filter((key) => !Object.hasOwn(known, key));
  return unknown.map((key) => `${key} is not an option of this policy: remove it`);
}

/** A policy for no stack would pass everywhere. */
function stackProblems(given: unknown): string[] {
  if (given === undefined) return [];

  const stacks = Array.isArray(given) ? given : [given];
  if (stacks.some((one) => typeof one !== "string" && !(one instanceof RegExp)))
    return ["stacks must be names or regular expressions"];

  return stacks.length === 0 || stacks.includes("")
    ? [
        "stacks must name at least one stack, each by a name that is not empty: leave it out for every stack",
      ]
    : [];
}

export const TYPES: PolicyOption = {
  schema: { type: "array", items: { enum: [...CHANNEL_TYPES] }, minItems: 1 },
  problemsOf: (types) => {
    if (!Array.isArray(types) || types.length === 0)
      return ["types must name at least one channel type"];

    const known: readonly string[] = CHANNEL_TYPES;

    return types.every((type) => known.includes(type))
      ? []
      : [`types may only contain ${CHANNEL_TYPES.join(", ")}`];
  },
};

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
