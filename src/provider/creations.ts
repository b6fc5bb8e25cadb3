/**
 * What a provider process has done so far, for decisions that no single call allows.
 *
 * With an `onError` hook the engine asks for a failed create again, up to a hundred times. It tells the dynamic provider no
 * name of a resource, so a create is known by a digest of what it sends. Equal channels that are declared on purpose are told
 * apart from a repetition only as long as each create has a clear outcome.
 *
 * One for each process. Ids are compared in lower case.
 */
import { createHash } from "node:crypto";
import type { PartialFailure, Properties } from "./boundary";
import { toChannel } from "./record";

export class Creations {
  readonly #unclear = new Map<string, Error>();
  readonly #partly = new Map<string, PartialFailure>();
  readonly #replaced = new Map<string, string>();
  readonly #held = new Set<string>();
  readonly #created = new Set<string>();
  readonly #adopted = new Set<string>();

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
    this.noteCreated(created.resourceId);
  }

  /** What an earlier create of the same inputs has left, if its answer could not be used. */
  partly(inputs: Properties): PartialFailure | undefined {
    return this.#partly.get(digest(inputs));
  }

  /** Notes that a channel with these inputs is to replace the one with this id. */
  noteReplacement(id: string, inputs: Properties): void {
    this.#replaced.set(digest(inputs), id.toLowerCase());
  }

  /** The id of the channel that one with these inputs is to replace. */
  replacedBy(inputs: Properties): string | undefined {
    return this.#replaced.get(digest(inputs));
  }

  /** Notes that a resource has had a channel since before. */
  noteHeld(id: string): void {
    this.#held.add(id.toLowerCase());
  }

  /** Notes that a channel was created in this run. */
  noteCreated(id: string): void {
    this.#created.add(id.toLowerCase());
  }

  /** Notes that a channel was adopted in this run. */
  noteAdopted(id: string): void {
    this.#adopted.add(id.toLowerCase());
  }

  /** Notes that a channel was not adopted after all. */
  forgetAdopted(id: string): void {
    this.#adopted.delete(id.toLowerCase());
  }

  /** Whether a channel was adopted in this run. */
  isAdopted(id: string): boolean {
    return this.#adopted.has(id.toLowerCase());
  }

  /** Whether a channel was created or adopted in this run. */
  isGained(id: string): boolean {
    return this.#created.has(id.toLowerCase()) || this.isAdopted(id);
  }

  /** Whether a resource is known to have a channel. */
  isHeld(id: string): boolean {
    return this.#held.has(id.toLowerCase()) || this.isGained(id);
  }
}

/** Of what a create sends. A digest, as the destination needs not be kept. */
function digest(inputs: Properties): string {
  return createHash("sha256")
    .update(JSON.stringify([inputs.domainId, toChannel(inputs)]))
    .digest("base64");
}
