/** The functions for WHOIS and DNS changes of a domain. */
import type * as pulumi from "@pulumi/pulumi";
import {
  fetchDnsChanges,
  fetchWhoisChanges,
  type GetChangesArgs,
  type GetDnsChangesResult,
  type GetWhoisChangesResult,
} from "../queries/changes";
import type { FunctionOptions, OutputFunctionOptions } from "./function-options";
import { call, callOutput, type InputsOf } from "./internal/invoke";

/** Arguments of the Output forms. */
export type GetChangesOutputArgs = InputsOf<GetChangesArgs>;

/**
 * WHOIS changes of a domain (interface.md, section 4.2). Runs in previews too and leaves nothing in the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export function getWhoisChanges(
  args: GetChangesArgs,
  opts?: FunctionOptions,
): Promise<GetWhoisChangesResult> {
  return call((client) => fetchWhoisChanges(args, client), opts);
}

/** The same for arguments that may be outputs; while they are unknown in a preview, no request is made. */
export function getWhoisChangesOutput(
  args: GetChangesOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetWhoisChangesResult> {
  return callOutput(args, fetchWhoisChanges, opts);
}

/**
 * DNS changes of a domain (interface.md, section 4.3). Runs in previews too and leaves nothing in the state.
 * @throws DomainMonitoringError; kind `validation` if an argument is not valid
 */
export function getDnsChanges(args: GetChangesArgs, opts?: FunctionOptions): Promise<GetDnsChangesResult> {
  return call((client) => fetchDnsChanges(args, client), opts);
}

/** The same for arguments that may be outputs; while they are unknown in a preview, no request is made. */
export function getDnsChangesOutput(
  args: GetChangesOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetDnsChangesResult> {
  return callOutput(args, fetchDnsChanges, opts);
}
