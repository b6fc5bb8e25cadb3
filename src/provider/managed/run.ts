/**
 * Knowledge of a provider process about managed channels, for decisions that no single call allows: the lists of the service,
 * and which channels have a resource. Ids are compared in lower case.
 */
import type { Properties } from "../boundary";
import { type Connection, onePerConnection } from "../connection";
import { digest } from "../create-only";
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
  /** Channels that a resource has adopted, so that no other one deletes them. */
  readonly adopted = new Ids();
  readonly #lists = new Map<string, ChannelList>();
  readonly #replaced = new Map<string, string>();
  readonly #declared = new Set<string>();
  /** What the program declares of the resource that has a channel, or is to adopt it. */
  readonly #owners = new Map<string, string>();

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

  /** Notes that the program declares this, which tells its comparison from that of a refresh. */
  noteDeclared(inputs: Properties): void {
    this.#declared.add(declaration(inputs));
  }

  /** Notes that what the program declares has this channel, or is to adopt it. @returns false if another resource of it does */
  claim(id: string, inputs: Properties): boolean {
    const claimed = declaration(inputs);
    if (!this.#declared.has(claimed)) return true;
    const owner = this.#owners.get(id.toLowerCase()) ?? claimed;
    this.#owners.set(id.toLowerCase(), owner);
    return owner === claimed;
  }
}

/** The engine does not tell a dynamic provider the name of a resource. */
function declaration(inputs: Properties): string {
  return JSON.stringify(normalise(inputs));
}

export const runOf = onePerConnection((connection) => new Run(connection));
