/** The functions as the engine invokes them. */
import type { DomainMonitoringClient } from "../client/client";
import type { Warn } from "../common/text";
import * as functions from "../functions";
import type {
  ChangesResult,
  DnsChangeResult,
  GetChangesArgs,
  WhoisChangeResult,
} from "../functions/changes";
import type { ServiceFunction } from "../functions/function";
import { FUNCTION_PREFIX } from "../names";
import { type Properties, runGuarded } from "../provider/boundary";

/** A change of registration data. */
export interface WhoisChange extends Omit<WhoisChangeResult, "domainId" | "before" | "after"> {
  /** Identifier of the domain as the record has it. */
  domainId: string;

  /**
   * Previous value decoded: the host names for `nameservers`, else the one value; missing if the
   * field was empty.
   */
  before: string[] | null;

  /**
   * New value decoded: the host names for `nameservers`, else the one value; missing if the field
   * is empty.
   */
  after: string[] | null;
}

/** A change of DNS records. */
export interface DnsChange extends Omit<DnsChangeResult, "domainId"> {
  /** Identifier of the domain as the record has it. */
  domainId: string;
}

/** WHOIS changes of a domain. */
interface WhoisChanges extends ChangesResult<WhoisChange> {}

/** DNS changes of a domain. */
interface DnsChanges extends ChangesResult<DnsChange> {}

const getWhoisChanges: ServiceFunction<GetChangesArgs, WhoisChanges> = withChanges(
  functions.getWhoisChanges,
  toWhoisChange,
);

const getDnsChanges: ServiceFunction<GetChangesArgs, DnsChanges> = withChanges(
  functions.getDnsChanges,
  withTextId,
);

/** By name. @public the schema is generated from their types */
export const FUNCTIONS = { ...functions, getWhoisChanges, getDnsChanges };

const BY_TOKEN: ReadonlyMap<string, ServiceFunction<object, object>> = new Map(
  Object.values(FUNCTIONS).map((definition) => [FUNCTION_PREFIX + definition.name, definition]),
);

/** The same function with changes in other types. */
function withChanges<From, To>(
  { name, run }: ServiceFunction<GetChangesArgs, ChangesResult<From>>,
  convert: (change: From) => To,
): ServiceFunction<GetChangesArgs, ChangesResult<To>> {
  return {
    name,
    async run(args, host) {
      const found = await run(args, host);
      return { ...found, changes: found.changes.map(convert) };
    },
  };
}

/** Invokes a function. @throws a plain error, one line */
export function invoke(
  token: string,
  args: Properties,
  client: () => DomainMonitoringClient,
  warn: Warn,
): Promise<Properties> {
  return runGuarded({}, async () => {
    const called = BY_TOKEN.get(token);
    if (!called)
      throw new Error(
        `${token} is not a function of this plugin: use one of ${[...BY_TOKEN.keys()].join(", ")}`,
      );

    const host = { client: client(), warn, failure: (line: string) => new Error(line) };

    return { ...(await called.run(withoutNulls(args), host)) };
  });
}

/** Some languages send null for what was left out. */
function withoutNulls(args: Properties): Properties {
  return JSON.parse(JSON.stringify(args), (_key, value) => value ?? undefined);
}

function withTextId<Change extends { domainId: number | string }>(change: Change) {
  return { ...change, domainId: String(change.domainId) };
}

/**
 * In types that every language has: no property is a string in one result and a list in another.
 */
function toWhoisChange(change: WhoisChangeResult): WhoisChange {
  return {
    ...withTextId(change),
    before: asList(change.before),
    after: asList(change.after),
  };
}

function asList(value: string[] | string | null): string[] | null {
  return typeof value === "string" ? [value] : value;
}
