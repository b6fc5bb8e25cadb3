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

/** A domain by its identifier, as the interface has it (section 4.1). */
export type GetDomainByIdOutputArgs = InputsOf<GetDomainByIdArgs>;

/**
 * A domain by its name, which is looked up in the list of domains.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export type GetDomainByNameOutputArgs = InputsOf<GetDomainByNameArgs>;

/** Arguments of {@link getDomainsOutput}. @experimental the service does not document it */
export type GetDomainsOutputArgs = InputsOf<GetDomainsArgs>;

/**
 * The state of a monitored domain (interface.md, sections 2.1 and 4.1). Runs in previews too and
 * leaves nothing in the state.
 *
 * By `domain` it is experimental: the name is looked up in the list of domains, which is not in the
 * interface, and which a service may lack. A run of a program reads that list once for all
 * look-ups.
 * @throws DomainMonitoringError; kind `http` with status 404 if the domain does not exist, or with
 * status 403, 404 or 405 if the list of domains cannot be read; kind `validation` if not exactly
 * one domain has the name
 */
export const getDomain = promiseForm(functions.getDomain);

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export const getDomainOutput = outputForm(functions.getDomain);

/**
 * Every domain of the account. Runs in previews too and leaves nothing in the state.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 if the list of domains
 * cannot be read; kind `validation` if an argument is not valid
 */
export function getDomains(args: GetDomainsArgs = {}, opts?: FunctionOptions) {
  return call(functions.getDomains, args, opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export function getDomainsOutput(args: GetDomainsOutputArgs = {}, opts?: OutputFunctionOptions) {
  return callOutput(functions.getDomains, args, opts);
}

/** Arguments of {@link getWhoisChangesOutput} and {@link getDnsChangesOutput}. */
export type GetChangesOutputArgs = InputsOf<GetChangesArgs>;

/**
 * WHOIS changes of a domain (interface.md, section 4.2). Runs in previews too and leaves nothing in
 * the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export const getWhoisChanges = promiseForm(functions.getWhoisChanges);

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export const getWhoisChangesOutput = outputForm(functions.getWhoisChanges);

/**
 * DNS changes of a domain (interface.md, section 4.3). Runs in previews too and leaves nothing in
 * the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export const getDnsChanges = promiseForm(functions.getDnsChanges);

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export const getDnsChangesOutput = outputForm(functions.getDnsChanges);

/**
 * Arguments of {@link getNotificationChannelsOutput}. @experimental the service does not document
 * it
 */
export type GetNotificationChannelsOutputArgs = InputsOf<GetNotificationChannelsArgs>;

/**
 * The notification channels of a domain, including those that no stack declares. Runs in previews
 * too and leaves nothing in the state.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 if the domain does not
 * exist or its channels cannot be listed
 */
export const getNotificationChannels = promiseForm(functions.getNotificationChannels);

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export const getNotificationChannelsOutput = outputForm(functions.getNotificationChannels);

/** An {@link ExpiryRule} whose members may be outputs. */
export type ExpiryRuleArgs = InputsOf<ExpiryRule>;

/** Arguments of {@link requireDomainExpiryOutput}. */
export type RequireDomainExpiryOutputArgs = ExpiryRuleArgs & GetDomainOutputArgs;

/**
 * Reads a domain and evaluates a rule. A domain that breaks the rule causes a warning or ends the
 * program with one line, as the rule says; with an override in effect it is a warning. Returns the
 * result otherwise. An update that shows no preview creates what does not depend on the result:
 * give channels its `domainId`.
 * @throws RunError if the domain breaks the rule; DomainMonitoringError if the domain cannot be
 * read or the rule is not valid
 */
export const requireDomainExpiry = promiseForm(functions.requireDomainExpiry);

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export const requireDomainExpiryOutput = outputForm(functions.requireDomainExpiry);
