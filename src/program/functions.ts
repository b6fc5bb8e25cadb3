/**
 * The functions of a program, each in two forms: one returns a promise, the other takes and returns
 * outputs.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as functions from "../functions";
import type { GetChangesArgs } from "../functions/changes";
import type { GetDomainByIdArgs, GetDomainByNameArgs, GetDomainsArgs } from "../functions/domains";
import type { ServiceFunction } from "../functions/function";
import type { GetNotificationChannelsArgs } from "../functions/get-notification-channels";
import type { ExpiryRule } from "../rules/expiry-rule";
import type { FunctionOptions, InputsOf, OutputFunctionOptions } from "./function-options";
import { call, callOutput } from "./internal/invoke";

export type {
  ChangesResult,
  DnsChangeResult,
  GetChangesArgs,
  GetDnsChangesResult,
  GetWhoisChangesResult,
  WhoisChangeResult,
} from "../functions/changes";
export type {
  DomainResult,
  GetDomainArgs,
  GetDomainByIdArgs,
  GetDomainByNameArgs,
  GetDomainsArgs,
  GetDomainsResult,
} from "../functions/domains";
export type {
  GetNotificationChannelsArgs,
  GetNotificationChannelsResult,
  NotificationChannelResult,
} from "../functions/get-notification-channels";
export type {
  RequireDomainExpiryArgs,
  RequireDomainExpiryByIdArgs,
  RequireDomainExpiryByNameArgs,
  RequireDomainExpiryResult,
} from "../functions/require-domain-expiry";

/** The form of a function that returns a promise. */
function promiseForm<Args extends object, Result extends object>(
  definition: ServiceFunction<Args, Result>,
) {
  return (args: Args, opts?: FunctionOptions): Promise<Result> => call(definition, args, opts);
}

/** The form of a function that takes and returns outputs. */
function outputForm<Args extends object, Result extends object>(
  definition: ServiceFunction<Args, Result>,
) {
  return (args: InputsOf<Args>, opts?: OutputFunctionOptions): pulumi.Output<Result> =>
    callOutput(definition, args, opts);
}

/** Arguments of {@link getDomainOutput}: exactly one of `id` and `domain`. */
export type GetDomainOutputArgs = GetDomainByIdOutputArgs | GetDomainByNameOutputArgs;

/** A domain by its identifier (interface.md, section 4.1). */
export type GetDomainByIdOutputArgs = InputsOf<GetDomainByIdArgs>;

/**
 * A domain by its name, looked up in the account's list of domains.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export type GetDomainByNameOutputArgs = InputsOf<GetDomainByNameArgs>;

/** Arguments of {@link getDomainsOutput}. @experimental the service does not document it */
export type GetDomainsOutputArgs = InputsOf<GetDomainsArgs>;

/**
 * The current data of a monitored domain (interface.md, sections 2.1 and 4.1). Runs even in
 * previews, and stores nothing in the state.
 *
 * The lookup by `domain` is experimental: it reads the account's list of domains, which the service
 * doesn't document and may lack. A program reads that list once for all lookups.
 * @throws DomainMonitoringError; kind `http` with status 404 if the domain does not exist, or with
 * status 403, 404 or 405 if the list of domains cannot be read; kind `validation` if not exactly
 * one domain has the name
 */
export const getDomain = promiseForm(functions.getDomain);

/**
 * The same for arguments that may be outputs. A preview makes no request while one of them is
 * unknown.
 */
export const getDomainOutput = outputForm(functions.getDomain);

/**
 * Every domain of the account. Runs even in previews, and stores nothing in the state.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 if the list of domains
 * cannot be read; kind `validation` if an argument is not valid
 */
export function getDomains(args: GetDomainsArgs = {}, opts?: FunctionOptions) {
  return call(functions.getDomains, args, opts);
}

/**
 * The same for arguments that may be outputs. A preview makes no request while one of them is
 * unknown.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export function getDomainsOutput(args: GetDomainsOutputArgs = {}, opts?: OutputFunctionOptions) {
  return callOutput(functions.getDomains, args, opts);
}

/** Arguments of {@link getWhoisChangesOutput} and {@link getDnsChangesOutput}. */
export type GetChangesOutputArgs = InputsOf<GetChangesArgs>;

/**
 * WHOIS changes of a domain (interface.md, section 4.2). Runs even in previews, and stores nothing
 * in the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export const getWhoisChanges = promiseForm(functions.getWhoisChanges);

/**
 * The same for arguments that may be outputs. A preview makes no request while one of them is
 * unknown.
 */
export const getWhoisChangesOutput = outputForm(functions.getWhoisChanges);

/**
 * DNS changes of a domain (interface.md, section 4.3). Runs even in previews, and stores nothing in
 * the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export const getDnsChanges = promiseForm(functions.getDnsChanges);

/**
 * The same for arguments that may be outputs. A preview makes no request while one of them is
 * unknown.
 */
export const getDnsChangesOutput = outputForm(functions.getDnsChanges);

/**
 * Arguments of {@link getNotificationChannelsOutput}. @experimental the service does not document
 * it
 */
export type GetNotificationChannelsOutputArgs = InputsOf<GetNotificationChannelsArgs>;

/**
 * The notification channels of a domain, including channels that no stack declares. Runs even in
 * previews, and stores nothing in the state.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 if the domain does not
 * exist or its channels cannot be listed
 */
export const getNotificationChannels = promiseForm(functions.getNotificationChannels);

/**
 * The same for arguments that may be outputs. A preview makes no request while one of them is
 * unknown.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export const getNotificationChannelsOutput = outputForm(functions.getNotificationChannels);

/** An {@link ExpiryRule} whose members may be outputs. */
export type ExpiryRuleArgs = InputsOf<ExpiryRule>;

/** Arguments of {@link requireDomainExpiryOutput}. */
export type RequireDomainExpiryOutputArgs = ExpiryRuleArgs & GetDomainOutputArgs;

/**
 * Reads a domain and checks it against a rule. The program ends with one line if the domain breaks
 * the rule, or logs a warning if the rule says so or has an override in effect. Take the `domainId`
 * of channels from the result: an update without a preview creates what doesn't depend on it.
 * @throws RunError if the domain breaks the rule; DomainMonitoringError if the domain cannot be
 * read or the rule is not valid
 */
export const requireDomainExpiry = promiseForm(functions.requireDomainExpiry);

/**
 * The same for arguments that may be outputs. A preview makes no request while one of them is
 * unknown.
 */
export const requireDomainExpiryOutput = outputForm(functions.requireDomainExpiry);
