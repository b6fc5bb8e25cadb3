/**
 * Which channels have a resource, so that none gets two, and none is deleted with a resource that no longer holds it.
 *
 * The engine tells a provider neither the name of a resource nor of the others. After a resource with `adopt` was renamed, it
 * creates the new one first, which takes the channel over, and deletes the old one last, at the latest in a later update. So
 * taking over puts a mark into the outputs: a delete by a resource with another mark is not one of this channel.
 *
 * One for each process. Ids are compared in lower case.
 */
import { randomUUID } from "node:crypto";
import type { Properties } from "./boundary";

export class ChannelHolders {
  readonly #marks = new Map<string, unknown>();
  readonly #claimed = new Set<string>();
  readonly #replaced = new Set<string>();

  /** Notes that the resource with these outputs keeps its channel. */
  note(id: string, { adoption }: Properties): void {
    this.#marks.set(id.toLowerCase(), adoption);
  }

  /** Notes that a resource has got its channel in this run. */
  hold(id: string, outputs: Properties = {}): void {
    this.note(id, outputs);
    this.#claimed.add(id.toLowerCase());
  }

  /** Notes that a resource takes a channel over, and returns the outputs that say so. */
  claim(id: string): { adoption: string } {
    const marked = { adoption: randomUUID().slice(0, 8) };
    this.hold(id, marked);
    return marked;
  }

  /** Forgets a channel, as it was not taken over after all, or is gone. */
  release(id: string): void {
    this.#marks.delete(id.toLowerCase());
    this.#claimed.delete(id.toLowerCase());
  }

  /** Whether a resource has got this channel in this run. */
  isClaimed(id: string): boolean {
    return this.#claimed.has(id.toLowerCase());
  }

  /** Whether a channel has a resource. */
  has(id: string): boolean {
    return this.#marks.has(id.toLowerCase());
  }

  /** Whether a channel has another resource than the one with these outputs. */
  hasAnother(id: string, { adoption }: Properties): boolean {
    return this.has(id) && this.#marks.get(id.toLowerCase()) !== adoption;
  }

  /** Notes that a channel is to be replaced by another one. */
  noteReplaced(id: string): void {
    this.#replaced.add(id.toLowerCase());
  }

  /** Whether a channel is to be replaced by another one. */
  isReplaced(id: string): boolean {
    return this.#replaced.has(id.toLowerCase());
  }
}
