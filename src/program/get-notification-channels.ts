/** The function for the notification channels of a domain. */
import type * as pulumi from "@pulumi/pulumi";
import {
  fetchNotificationChannels,
  type GetNotificationChannelsArgs,
  type GetNotificationChannelsResult,
} from "../queries/channels";
import type { FunctionOptions, OutputFunctionOptions } from "./function-options";
import { call, callOutput, type InputsOf } from "./internal/invoke";

/** Arguments of {@link getNotificationChannelsOutput}. @experimental not in the given interface */
export type GetNotificationChannelsOutputArgs = InputsOf<GetNotificationChannelsArgs>;

/**
 * The notification channels of a domain, also those that no stack declares. Runs in previews too and leaves nothing in the
 * state.
 *
 * @experimental not in the given interface, and a service may lack the list: `docs/beyond-the-interface.md`
 * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 if the domain does not exist or its channels cannot
 * be listed
 */
export function getNotificationChannels(
  args: GetNotificationChannelsArgs,
  opts?: FunctionOptions,
): Promise<GetNotificationChannelsResult> {
  return call((client) => fetchNotificationChannels(args, client), opts);
}

/**
 * The same for arguments that may be outputs; while they are unknown in a preview, no request is made.
 * @experimental not in the given interface, and a service may lack the list: `docs/beyond-the-interface.md`
 */
export function getNotificationChannelsOutput(
  args: GetNotificationChannelsOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetNotificationChannelsResult> {
  return callOutput(args, fetchNotificationChannels, opts);
}
