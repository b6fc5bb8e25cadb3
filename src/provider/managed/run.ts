/**
 * Knowledge of a provider process about managed channels, for decisions that no single call allows:
 * the lists of the service, and which channels have a resource. Ids are compared in lower case.
 */

import type { Properties } from "../boundary";
import { type Connection, onePerConnection } from "../connection";
import { digest } from "../create-only";
import { AdoptedIds } from "../ownership";
import { normalise } from "../record";
import { ChannelList } from "./channel-list";

class Ids extends Set<string> {
  override add(id: string): this {
    return super.add(id.toLowerCase());
  }

  override has(id: string): boolean {
    return super.has(id.toLowerCase());
  }
}

export class Run {
  /** Channels that have a resource: since before, or created in this run. */
  readonly held = new Ids();
  readonly adopted = new AdoptedIds();
  readonly #lists = new Map<string, ChannelList>();
  readonly #replaced = new Map<string, string>();
  readonly #declared = new Set<string>();

  /** By channel, the declaration of the resource that has it. */
  readonly #holders = new Map<string, string>();

  /** By channel, the declaration of the resource that is to adopt it. */
  readonly #adopters = new Map<string, string>();

  constructor(private readonly connection: Connection) {}

  /** The list of a domain, whose readings its channels share. */
  list({ domainId }: Properties): ChannelList {
    const id = String(domainId);
    const list = this.#lists.get(id) ?? new ChannelList(id, this.connection);
    this.#lists.set(id, list);

    return list;
  }

  /** Notes that a channel with these inputs is to replace the one with this id. */
  noteReplacement(id: string, inputs: Properties): void {
    this.#replaced.set(digest(inputs), id.toLowerCase());
  }

  replacedBy(inputs: Properties): string | undefined {
    return this.#replaced.get(digest(inputs));
  }

  /**
   * Records that the program declares these inputs, so that `compare` can tell an update from a
   * refresh.
   */
  noteDeclared(inputs: Properties): void {
    this.#declared.add(declaration(inputs));
  }

  /**
   * Notes that the declared resource has this channel. @returns false if another one has it, or is
   * to adopt it
   */
  noteHolder(id: string, inputs: Properties): boolean {
    return this.#claim(this.#holders, id, inputs) && this.#isFree(this.#adopters, id, inputs);
  }

  /**
   * Notes that the declared resource is to adopt this channel. @returns false if another one has
   * it, or is to adopt it
   */
  noteAdopter(id: string, inputs: Properties): boolean {
    return this.#claim(this.#adopters, id, inputs) && this.#isFree(this.#holders, id, inputs);
  }

  #claim(owners: Map<string, string>, id: string, inputs: Properties): boolean {
    const claimed = declaration(inputs);
    // In a refresh nothing is declared.
    if (!this.#declared.has(claimed)) return true;

    const owner = owners.get(id.toLowerCase()) ?? claimed;

    owners.set(id.toLowerCase(), owner);

    return owner === claimed;
  }

  #isFree(owners: ReadonlyMap<string, string>, id: string, inputs: Properties): boolean {
    const owner = owners.get(id.toLowerCase());
    return owner === undefined || owner === declaration(inputs);
  }
}

/** The engine does not tell a dynamic provider the name of a resource. */
function declaration(inputs: Properties): string {
  return JSON.stringify(normalise(inputs));
}

export const runOf = onePerConnection((connection) => new Run(connection));
