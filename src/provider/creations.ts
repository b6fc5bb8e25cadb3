/**
 * By what a create is known again, and whether one that failed may have been carried out, so that it is not repeated.
 *
 * With an `onError` hook the engine asks for a failed create again, up to a hundred times. It tells the dynamic provider no
 * name of a resource, so a create is known by a digest of what it sends. Equal channels that are declared on purpose are told
 * apart from a repetition only as long as each create has a clear outcome.
 */
import { createHash } from "node:crypto";
import { DomainMonitoringError } from "../client/errors";
import type { Properties } from "./boundary";
import { toChannel } from "./record";

/** Whether a request may have been carried out although it failed. */
export function isUnclear(error: unknown): error is DomainMonitoringError {
  return error instanceof DomainMonitoringError && (error.sent === "maybe" || error.kind === "response");
}

/** Whether a create may have been carried out although it failed: a service may fail after the work. */
export function mayBeCarriedOut(error: unknown): error is DomainMonitoringError {
  return isUnclear(error) || (error instanceof DomainMonitoringError && (error.status ?? 0) >= 500);
}

/** Digest of what a create sends, as the destination needs not be kept. */
export function digest(inputs: Properties): string {
  return createHash("sha256")
    .update(JSON.stringify([inputs.domainId, toChannel(inputs)]))
    .digest("base64");
}
