/**
 * The creates of a provider process that have no clear outcome.
 *
 * With an `onError` hook the engine asks for a failed create again, up to a hundred times. It tells the dynamic provider no
 * name of a resource, so a create is known by a digest of what it sends. Equal channels that are declared on purpose are told
 * apart from a repetition only as long as each create has a clear outcome.
 */
import { createHash } from "node:crypto";
import { DomainMonitoringError } from "../client/errors";
import type { PartialFailure, Properties } from "./boundary";
import { toChannel } from "./record";

/** Whether a request may have been carried out although it failed. */
export function isUnclear(error: unknown): error is DomainMonitoringError {
  return error instanceof DomainMonitoringError && (error.sent === "maybe" || error.kind === "response");
}

/** One for each process. */
export class Creations {
  readonly #unclear = new Map<string, Error>();
  readonly #partly = new Map<string, PartialFailure>();

  /** Notes a create of these inputs that may have been carried out although it failed. */
  noteUnclear(inputs: Properties, error: Error): void {
    this.#unclear.set(digest(inputs), error);
  }

  /** The error of an earlier create of the same inputs that may have been carried out. */
  unclear(inputs: Properties): Error | undefined {
    return this.#unclear.get(digest(inputs));
  }

  /** Notes a create of these inputs that was carried out, although its answer could not be used. */
  notePartly(inputs: Properties, created: PartialFailure): void {
    this.#partly.set(digest(inputs), created);
  }

  /** The incomplete result of an earlier create of the same inputs, if its answer could not be used. */
  partly(inputs: Properties): PartialFailure | undefined {
    return this.#partly.get(digest(inputs));
  }
}

/** Digest of what a create sends, as the destination needs not be kept. */
export function digest(inputs: Properties): string {
  return createHash("sha256")
    .update(JSON.stringify([inputs.domainId, toChannel(inputs)]))
    .digest("base64");
}
