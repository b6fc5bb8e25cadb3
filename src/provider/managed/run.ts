/**
 * Knowledge of a provider process about managed channels, for decisions that no single call allows: the lists of the service,
 * and which channels have a resource. Ids are compared in lower case.
 */
import type { Properties } from "../boundary";
import type { Connection } from "../connection";
import { digest } from "../creations";
import { ChannelLists } from "./lists";

export class Run {
  readonly lists: ChannelLists;
  readonly #replaced = new Map<string, string>();
  readonly #held = new Set<string>();
  readonly #adopted = new Set<string>();

  constructor(connection: Connection) {
    this.lists = new ChannelLists(connection);
  }

  /** Notes that a channel with these inputs is to replace the one with this id. */
  noteReplacement(id: string, inputs: Properties): void {
    this.#replaced.set(digest(inputs), id.toLowerCase());
  }

  /** The id of the channel that one with these inputs is to replace. */
  replacedBy(inputs: Properties): string | undefined {
    return this.#replaced.get(digest(inputs));
  }

  /** Notes that a resource has a channel: since before, or created in this run. */
  noteHeld(id: string): void {
    this.#held.add(id.toLowerCase());
  }

  /** Whether a resource is known to have a channel. */
  isHeld(id: string): boolean {
    return this.#held.has(id.toLowerCase()) || this.isAdopted(id);
  }

  /** Notes that a channel is adopted in this run. @returns false if it was adopted already */
  claim(id: string): boolean {
    return this.#adopted.size < this.#adopted.add(id.toLowerCase()).size;
  }

  /** Notes that a channel was not adopted after all. */
  release(id: string): void {
    this.#adopted.delete(id.toLowerCase());
  }

  /** Whether a channel was adopted in this run. */
  isAdopted(id: string): boolean {
    return this.#adopted.has(id.toLowerCase());
  }
}

const runs = new WeakMap<Connection, Run>();

/** The knowledge of the process with this connection. */
export function runOf(connection: Connection): Run {
  const run = runs.get(connection) ?? new Run(connection);
  runs.set(connection, run);
  return run;
}
