/**
 * The functions of a program, each in two forms: one returns a promise, the other takes and returns
 * outputs.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as functions from "../functions";
import type {
  GetChangesArgs,
  GetDnsChangesResult,
  GetWhoisChangesResult,
} from "../functions/changes";
import type {
  DomainResult,
  GetDomainArgs,
  GetDomainByIdArgs,
  GetDomainByNameArgs,
  GetDomainsArgs,
  GetDomainsResult,
} from "../functions/domains";
import type {
  GetNotificationChannelsArgs,
  GetNotificationChannelsResult,
} from "../functions/get-notification-channels";
import type {
  RequireDomainExpiryArgs,
  RequireDomainExpiryResult,
} from "../functions/require-domain-expiry";
import type { ExpiryRule } from "../rules/expiry-rule";
import type { FunctionOptions, InputsOf, OutputFunctionOptions } from "./function-options";
import { call, callOutput } from "./internal/invoke";

/** Arguments of {@link getDomainOutput}: exactly one of `id` and `domain`. */
export type GetDomainOutputArgs = GetDomainByIdOutputArgs | GetDomainByNameOutputArgs;

/** A domain by its identifier, as the interface has it (section 4.1). */
export interface GetDomainByIdOutputArgs extends Omit<GetDomainByIdArgs, "id"> {
  /** Identifier of the domain. */
  id: pulumi.Input<string>;
}

/**
 * A domain by its name, which is looked up in the list of domains.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface GetDomainByNameOutputArgs extends Omit<GetDomainByNameArgs, "domain"> {
  /**
   * Name of the domain, such as `example.com`. Compared without case, a final dot or its IDNA form.
   */
  domain: pulumi.Input<string>;
}

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
export function getDomain(args: GetDomainArgs, opts?: FunctionOptions): Promise<DomainResult> {
  return call(functions.getDomain, args, opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export function getDomainOutput(
  args: GetDomainOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<DomainResult> {
  return callOutput(functions.getDomain, args, opts);
}

/**
 * Every domain of the account. Runs in previews too and leaves nothing in the state.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 if the list of domains
 * cannot be read; kind `validation` if an argument is not valid
 */
export function getDomains(
  args: GetDomainsArgs = {},
  opts?: FunctionOptions,
): Promise<GetDomainsResult> {
  return call(functions.getDomains, args, opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export function getDomainsOutput(
  args: GetDomainsOutputArgs = {},
  opts?: OutputFunctionOptions,
): pulumi.Output<GetDomainsResult> {
  return callOutput(functions.getDomains, args, opts);
}

/** Arguments of {@link getWhoisChangesOutput} and {@link getDnsChangesOutput}. */
export type GetChangesOutputArgs = InputsOf<GetChangesArgs>;

/**
 * WHOIS changes of a domain (interface.md, section 4.2). Runs in previews too and leaves nothing in
 * the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export function getWhoisChanges(
  args: GetChangesArgs,
  opts?: FunctionOptions,
): Promise<GetWhoisChangesResult> {
  return call(functions.getWhoisChanges, args, opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export function getWhoisChangesOutput(
  args: GetChangesOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetWhoisChangesResult> {
  return callOutput(functions.getWhoisChanges, args, opts);
}

/**
 * DNS changes of a domain (interface.md, section 4.3). Runs in previews too and leaves nothing in
 * the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export function getDnsChanges(
  args: GetChangesArgs,
  opts?: FunctionOptions,
): Promise<GetDnsChangesResult> {
  return call(functions.getDnsChanges, args, opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export function getDnsChangesOutput(
  args: GetChangesOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetDnsChangesResult> {
  return callOutput(functions.getDnsChanges, args, opts);
}

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
export function getNotificationChannels(
  args: GetNotificationChannelsArgs,
  opts?: FunctionOptions,
): Promise<GetNotificationChannelsResult> {
  return call(functions.getNotificationChannels, args, opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export function getNotificationChannelsOutput(
  args: GetNotificationChannelsOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetNotificationChannelsResult> {
  return callOutput(functions.getNotificationChannels, args, opts);
}

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
export function requireDomainExpiry(
  args: RequireDomainExpiryArgs,
  opts?: FunctionOptions,
): Promise<RequireDomainExpiryResult> {
  return call(functions.requireDomainExpiry, args, opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is
 * made.
 */
export function requireDomainExpiryOutput(
  args: RequireDomainExpiryOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<RequireDomainExpiryResult> {
  return callOutput(functions.requireDomainExpiry, args, opts);
}
