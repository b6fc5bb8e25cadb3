/** The resources that an update is about, where it is not about all. */
import { dependenciesOf, type ResourceState } from "../state/state";
import { isProviderType, STACK_TYPE } from "../state/urns";

export class Targets {
  /** URNs of resources that do not exist, and that the update is not about. */
  readonly #absent = new Set<string>();

  /** @param target URNs; undefined for an update that is about all resources */
  constructor(private readonly target: readonly string[] | undefined) {}

  /** Whether the update is about a resource of the program. */
  has({ urn, type }: ResourceState): boolean {
    return type === STACK_TYPE || isProviderType(type) || this.mayDelete({ urn });
  }

  /** Whether the update may delete a resource that has left the program. */
  mayDelete({ urn }: Pick<ResourceState, "urn">): boolean {
    return this.target === undefined || this.target.includes(urn);
  }

  /** Notes that a resource is not created. */
  leaveOut({ urn }: ResourceState): void {
    this.#absent.add(urn);
  }

  isLeftOut(urn: string): boolean {
    return this.#absent.has(urn);
  }

  /** @throws Error if a resource cannot exist without one that is not created */
  refuseDependent(next: ResourceState): void {
    const missing = [...dependenciesOf(next)].find((urn) => this.#absent.has(urn));
    if (missing !== undefined)
      throw new Error(
        `Resource '${next.urn}' depends on '${missing}' which was was not specified in --target list.`,
      );
  }
}
