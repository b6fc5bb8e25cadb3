/** The function for the state of a domain. */
import type * as pulumi from "@pulumi/pulumi";
import { type DomainResult, fetchDomain, type GetDomainArgs } from "../queries/domain";
import { call, callOutput, type FunctionOptions, type OutputFunctionOptions } from "./internal/invoke";

/** Arguments of {@link getDomainOutput}. */
export interface GetDomainOutputArgs {
  /** Identifier of the domain. */
  id: pulumi.Input<string>;
}

/**
 * The state of a monitored domain (interface.md, sections 2.1 and 4.1). Runs in previews too and leaves nothing in the state.
 * @throws DomainMonitoringError; kind `http` with status 404 if the domain does not exist
 */
export function getDomain(args: GetDomainArgs, opts?: FunctionOptions): Promise<DomainResult> {
  return call((client) => fetchDomain(args, client), opts);
}

/** The same for arguments that may be outputs; while they are unknown in a preview, no request is made. */
export function getDomainOutput(
  args: GetDomainOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<DomainResult> {
  return callOutput(args, fetchDomain, opts);
}
