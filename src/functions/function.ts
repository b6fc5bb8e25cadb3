/**
 * Parts of a function: its arguments, each with the rule that it must follow, and what it asks the
 * service for.
 */
import type { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { either } from "../common/text";

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
export interface ServiceFunction<Result extends object> {
  /** Its name, in a program and in the plugin's tokens. */
  name: string;

  /** @throws DomainMonitoringError; kind `validation` if an argument is not valid */
  run(args: object, host: Host): Promise<Result>;
}

/** Returns the value of an argument. @throws DomainMonitoringError of kind `validation` */
type Rule<T> = (value: unknown, name: string) => T;

type Rules<Args> = { [Name in keyof Args]-?: Rule<Args[Name]> };

/** A function that takes these arguments and refuses others. */
export function defineFunction<Args extends object, Result extends object>(
  name: string,
  rules: Rules<Args>,
  run: (args: Args, host: Host) => Promise<Result>,
): ServiceFunction<Result> {
  return {
    name,
    async run(given, host) {
      const known = Object.keys(rules);
      const other = Object.keys(given).find((key) => !known.includes(key));
      if (other !== undefined)
        throw invalid(
          `${JSON.stringify(other)} is not an argument of ${name}: use ${either(known)}`,
        );

      const args: Partial<Args> = {};

      for (const key in rules) args[key] = rules[key](Reflect.get(given, key), key);

      return run(args as Args, host);
    },
  };
}

/** The rule of an argument that may be left out. */
export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value, name) => (value === undefined ? undefined : rule(value, name));
}

/** The rule of an id. */
export function requireId(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw invalid(`${name} is not a valid id: use the domain's id`);
}

/** The rule of a number such as a limit. */
export function requireWholeNumber(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw invalid(`${name} is not a whole number of 1 or more: correct it`);
}

export function invalid(message: string): DomainMonitoringError {
  return new DomainMonitoringError("validation", message);
}

/** Maximum number of records that a function returns where none is given. */
export const DEFAULT_LIMIT = 1000;
