/** The old states that registered resources succeed. */
import type { ResourceState } from "../state/state";
import { type Aliased, earlierUrns, type StackName } from "../state/urns";

/** Finds out which old resource a registered one is the successor of, by URN or by alias. */
export class AliasResolver {
  readonly #at: StackName;
  readonly #olds: ResourceState[];
  readonly #seen = new Set<string>();

  /** The earlier URN of each resource that was found by an alias. */
  readonly #renamed = new Map<string, string>();

  constructor(at: StackName, olds: ResourceState[]) {
    this.#at = at;
    this.#olds = olds;
  }

  /** Old URNs by which resources were found, with the present ones. */
  get renames(): ReadonlyMap<string, string> {
    return new Map([...this.#renamed].map(([present, earlier]) => [earlier, present]));
  }

  /** Whether the program has registered a URN already. */
  has(urn: string): boolean {
    return this.#seen.has(urn);
  }

  /**
   * Takes note of a resource, and returns its old state.
   *
   * @throws where two resources of the program are the same one
   */
  find(urn: string, goal: Aliased): ResourceState | undefined {
    if (this.#seen.has(urn))
      throw new Error(`Duplicate resource URN '${urn}'; try giving it a unique name`);

    const owner = this.renames.get(urn);
    if (owner !== undefined) {
      throw new Error(
        `Duplicate resource URN '${urn}' conflicting with alias on resource with URN '${owner}'`,
      );
    }

    this.#seen.add(urn);
    for (const candidate of [urn, ...earlierUrns(this.#at, goal, this.#renamed)]) {
      const old = this.#olds.find(
        (resource) => resource.urn === candidate && !resource.pendingDelete,
      );

      if (old === undefined) continue;

      if (candidate !== urn) this.#rename(urn, candidate);

      return old;
    }

    return undefined;
  }

  #rename(urn: string, earlier: string): void {
    const other = this.#seen.has(earlier) ? urn : this.renames.get(earlier);
    if (other !== undefined) {
      const message = `Duplicate resource alias '${earlier}' applied to resource with URN '${urn}'`;
      throw new Error(`${message} conflicting with resource with URN '${other}'`);
    }

    this.#renamed.set(urn, earlier);
  }
}
