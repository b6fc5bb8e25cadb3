/**
 * Parts of a function: its arguments, each with the rule that it must follow, and what it asks the
 * service for.
 */
import type { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { either } from "../common/text";
import { comparableName, NOT_A_NAME } from "../rules/domain-names";
import { problemsIn, type Scalar } from "../rules/scalars";

/** Environment that a function runs in: a Pulumi program, or the plugin. */
export interface Host {
  client: DomainMonitoringClient;

  /**
   * Scope in which look-ups by name share a reading of the list, such as a run of a program.
   * @default the client's whole life
   */
  run?: object;

  /** Shows a line to the user. */
  warn(line: string): unknown;

  /** An error that is shown as this line alone. */
  failure(line: string): Error;
}

/** A function without Pulumi. */
export interface ServiceFunction<Args extends object, Result extends object> {
  /** Its name, in a program and in the plugin's tokens. */
  name: string;

  /** @throws DomainMonitoringError; kind `validation` if an argument is not valid */
  run(args: Args, host: Host): Promise<Result>;
}

type ArgumentRules<Args> = { [Name in keyof Args]-?: Scalar<Args[Name]> };

/**
 * A function that takes these arguments and refuses others.
 *
 * @typeParam Args as the rules parse them
 * @typeParam Given as they are given
 */
export function defineFunction<
  Args extends object,
  Result extends object,
  Given extends object = Args,
>(
  name: string,
  rules: ArgumentRules<Args>,
  run: (args: Args, host: Host) => Promise<Result>,
): ServiceFunction<Given, Result> {
  return {
    name,
    async run(given: object, host) {
      const known = Object.keys(rules);
      const other = Object.keys(given).find((key) => !known.includes(key));
      if (other !== undefined)
        throw invalid(
          `${JSON.stringify(other)} is not an argument of ${name}: use ${either(known)}`,
        );

      return run(parsed(given, rules), host);
    },
  };
}

/** The arguments by their rules. @throws DomainMonitoringError of kind `validation` */
export function parsed<Args extends object>(given: object, rules: ArgumentRules<Args>): Args {
  const scalars: Record<string, Scalar<unknown>> = { ...rules };
  const [problem] = problemsIn(given, scalars);
  if (problem !== undefined) throw invalid(problem);

  const values = Object.entries(scalars).map(([name, { parse }]) => [
    name,
    parse(Reflect.get(given, name)),
  ]);

  return Object.fromEntries(values);
}

export const ID: Scalar<string> = {
  parse: (value) => (typeof value === "string" ? value : undefined),
  problem: "is not a valid id: use the domain's id",
};

export const NAME: Scalar<string> = {
  parse: (value) =>
    typeof value === "string" && comparableName(value) !== undefined ? value : undefined,
  problem: NOT_A_NAME,
};

/** A number such as a limit. */
export const COUNT: Scalar<number> = {
  parse: (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 ? value : undefined,
  problem: "is not a whole number of 1 or more: correct it",
};

export function invalid(message: string): DomainMonitoringError {
  return new DomainMonitoringError("validation", message);
}

/** Maximum number of records that a function returns where none is given. */
export const DEFAULT_LIMIT = 1000;
