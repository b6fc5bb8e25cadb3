/** The resources that an update is about, where it is not about all. */
import { dependenciesOf, type ResourceState } from "../state/state";
import { isProviderType, STACK_TYPE } from "../state/urns";
import type { UpdateOptions } from "../types";

export class Targets {
  /** URNs of resources that do not exist, and that the update is not about. */
  readonly #absent = new Set<string>();

  constructor(private readonly options: Pick<UpdateOptions, "target" | "exclude">) {}

  /** Whether the update is about a resource of the program. */
  has({ urn, type }: ResourceState): boolean {
    return type === STACK_TYPE || isProviderType(type) || this.mayDelete({ urn });
  }

  /** Whether the update may delete a resource that has left the program. */
  mayDelete({ urn }: Pick<ResourceState, "urn">): boolean {
    const { target, exclude } = this.options;
    return (target === undefined || target.includes(urn)) && exclude?.includes(urn) !== true;
  }

  /** Notes that a resource is not created. */
  leaveOut({ urn }: ResourceState): void {
    this.#absent.add(urn);
  }

  isLeftOut(urn: string): boolean {
    return this.#absent.has(urn);
  }

  /**
   * Takes what is excluded and not created out of the dependencies.
   * @throws Error if a target depends on a resource that is not created
   */
  settleDependencies(next: ResourceState): void {
    const missing = [...dependenciesOf(next)].find((urn) => this.#absent.has(urn));
    if (missing !== undefined && this.options.target !== undefined)
      throw new Error(
        `Resource '${next.urn}' depends on '${missing}' which was was not specified in --target list.`,
      );

    const exists = (urn: string) => !this.#absent.has(urn);
    next.dependencies = next.dependencies.filter(exists);
    for (const [key, on] of Object.entries(next.propertyDependencies))
      next.propertyDependencies[key] = on.filter(exists);
  }
}
