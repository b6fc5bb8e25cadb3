/** The functions for the state of one domain and of all. */
import type * as pulumi from "@pulumi/pulumi";
import {
  type DomainResult,
  fetchDomain,
  type GetDomainArgs,
  type GetDomainByIdArgs,
  type GetDomainByNameArgs,
} from "../queries/domain";
import { fetchDomains, type GetDomainsArgs, type GetDomainsResult } from "../queries/domains";
import type { FunctionOptions, OutputFunctionOptions } from "./function-options";
import { call, callOutput, type InputsOf } from "./internal/invoke";
import { currentRun } from "./internal/sdk";

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
 * @experimental the list is not in the given interface: `docs/beyond-the-interface.md` says what is known from where
 */
export interface GetDomainByNameOutputArgs extends Omit<GetDomainByNameArgs, "domain"> {
  /** Name of the domain, such as `example.com`. Case, a final dot and the forms of IDNA make no difference. */
  domain: pulumi.Input<string>;
}

/** Arguments of {@link getDomainsOutput}. @experimental not in the given interface */
export type GetDomainsOutputArgs = InputsOf<GetDomainsArgs>;

/**
 * The state of a monitored domain (interface.md, sections 2.1 and 4.1). Runs in previews too and leaves nothing in the state.
 *
 * By `domain` it is experimental: the name is looked up in the list of domains, which is not in the interface, and which a
 * service may lack. A run of a program reads that list once for all look-ups.
 * @throws DomainMonitoringError; kind `http` with status 404 if the domain does not exist, or with status 403, 404 or 405 if
 * the list of domains cannot be read; kind `validation` if not exactly one domain has the name
 */
export function getDomain(args: GetDomainArgs, opts?: FunctionOptions): Promise<DomainResult> {
  const run = currentRun();
  return call((client) => fetchDomain(args, client, run), opts);
}

/** The same for arguments that may be outputs; while they are unknown in a preview, no request is made. */
export function getDomainOutput(
  args: GetDomainOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<DomainResult> {
  const run = currentRun();
  return callOutput(args, (known: GetDomainArgs, client) => fetchDomain(known, client, run), opts);
}

/**
 * Every domain of the account. Runs in previews too and leaves nothing in the state.
 *
 * @experimental not in the given interface, and a service may lack the list: `docs/beyond-the-interface.md`
 * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 if the list of domains cannot be read; kind
 * `validation` if an argument is not valid
 */
export function getDomains(args: GetDomainsArgs = {}, opts?: FunctionOptions): Promise<GetDomainsResult> {
  const run = currentRun();
  return call((client) => fetchDomains(args, client, run), opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is made.
 * @experimental not in the given interface, and a service may lack the list: `docs/beyond-the-interface.md`
 */
export function getDomainsOutput(
  args: GetDomainsOutputArgs = {},
  opts?: OutputFunctionOptions,
): pulumi.Output<GetDomainsResult> {
  const run = currentRun();
  return callOutput(args, (known: GetDomainsArgs, client) => fetchDomains(known, client, run), opts);
}
