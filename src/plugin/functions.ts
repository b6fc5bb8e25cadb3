/** The functions as the engine invokes them, over the same queries as the functions of a program. */
import type { DnsRecord } from "../client/change-values";
import type { DomainMonitoringClient } from "../client/client";
import { type Properties, runGuarded } from "../provider/boundary";
import { fetchDnsChanges, fetchWhoisChanges, type GetChangesArgs } from "../queries/changes";
import {
  fetchNotificationChannels,
  type GetNotificationChannelsArgs,
  type GetNotificationChannelsResult,
} from "../queries/channels";
import { type DomainResult, fetchDomain, type GetDomainArgs } from "../queries/domain";
import { fetchDomains, type GetDomainsArgs, type GetDomainsResult } from "../queries/domains";
import { fetchDomainExpiry, type RequireDomainExpiryArgs } from "../queries/expiry";
import type { ChangesResult, DnsChangeResult, WhoisChangeResult } from "../rules/changes";
import { type DomainExpiry, expirySeverity } from "../rules/expiry";

/** A change of registration data. */
export interface WhoisChange extends Omit<WhoisChangeResult, "domainId" | "before" | "after"> {
  /** Identifier of the domain as the record has it. */
  domainId: string;
  /** Previous value decoded: the host names for `nameservers`, else the one value; missing if there was none. */
  before: string[] | null;
  /** New value decoded: the host names for `nameservers`, else the one value; missing if there is none. */
  after: string[] | null;
}

/** A change of DNS records. */
export interface DnsChange extends Omit<DnsChangeResult, "domainId" | "before" | "after"> {
  /** Identifier of the domain as the record has it. */
  domainId: string;
  /** Records before the change; missing if the service's text cannot be decoded. */
  before: DnsRecord[] | null;
  /** Records after the change; missing if the service's text cannot be decoded. */
  after: DnsRecord[] | null;
}

/** WHOIS changes of a domain. */
export type WhoisChanges = ChangesResult<WhoisChange>;

/** DNS changes of a domain. */
export type DnsChanges = ChangesResult<DnsChange>;

type Run<Args = Properties> = (
  args: Args,
  client: DomainMonitoringClient,
  warn: (line: string) => void,
) => Promise<object>;

/** Takes arguments as declared: `refuseUnknown` knows their names, and the queries check values, as programs in JavaScript call them too. */
function declared<Args extends object>(run: Run<Args>): Run {
  return (args, client, warn) => run(args as Args, client, warn);
}

const FUNCTIONS: Record<string, Run> = {
  "domain-monitoring:index:getDomain": declared(
    (args: GetDomainArgs, client): Promise<DomainResult> => fetchDomain(args, client),
  ),
  "domain-monitoring:index:getDomains": declared(
    (args: GetDomainsArgs, client): Promise<GetDomainsResult> => fetchDomains(args, client),
  ),
  "domain-monitoring:index:getNotificationChannels": declared(
    (args: GetNotificationChannelsArgs, client): Promise<GetNotificationChannelsResult> =>
      fetchNotificationChannels(args, client),
  ),
  "domain-monitoring:index:getWhoisChanges": declared(
    async (args: GetChangesArgs, client): Promise<WhoisChanges> => {
      const found = await fetchWhoisChanges(args, client);
      return { ...found, changes: found.changes.map(toWhoisChange) };
    },
  ),
  "domain-monitoring:index:getDnsChanges": declared(
    async (args: GetChangesArgs, client): Promise<DnsChanges> => {
      const found = await fetchDnsChanges(args, client);
      return { ...found, changes: found.changes.map(withTextId) };
    },
  ),
  "domain-monitoring:index:requireDomainExpiry": declared(
    async (args: RequireDomainExpiryArgs, client, warn): Promise<DomainExpiry> => {
      const expiry = await fetchDomainExpiry(args, client);
      const severity = expirySeverity(expiry, args);
      if (severity === "error") throw new Error(expiry.message);
      if (severity === "warning") warn(expiry.message);
      return expiry;
    },
  ),
};

/** Invokes a function. @throws a plain error, one line */
export function invoke(
  token: string,
  args: Properties,
  client: () => DomainMonitoringClient,
  warn: (line: string) => void,
): Promise<Properties> {
  return runGuarded({}, async () => {
    const run = FUNCTIONS[token];
    if (!run) throw new Error(`${token} is not a function of this plugin: use one of ${names().join(", ")}`);
    refuseUnknown(token, args);
    return { ...(await run(withoutNulls(args), client(), warn)) };
  });
}

function names(): string[] {
  return Object.keys(FUNCTIONS);
}

/** Otherwise an argument with a wrong name would have no effect, and nobody would know. */
function refuseUnknown(token: string, args: Properties): void {
  const schema: {
    functions: Record<string, { inputs: { properties: Properties } }>;
  } = require("./schema.json");
  const known = Object.keys(schema.functions[token]?.inputs.properties ?? {});
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is not an argument of ${token}: use ${known.join(", ")}`);
}

/** Some languages send null for what was left out. */
function withoutNulls(args: Properties): Properties {
  return JSON.parse(JSON.stringify(args), (_key, value) => value ?? undefined);
}

function withTextId<Change extends { domainId: number | string }>(
  change: Change,
): Omit<Change, "domainId"> & { domainId: string } {
  return { ...change, domainId: String(change.domainId) };
}

/** In types that every language has: no property is a text here and a list there. */
function toWhoisChange(change: WhoisChangeResult): WhoisChange {
  return { ...withTextId(change), before: asList(change.before), after: asList(change.after) };
}

function asList(value: string[] | string | null): string[] | null {
  return typeof value === "string" ? [value] : value;
}
