/**
 * Which resource keeps a channel in this run, and so whether a delete may be sent. The records of
 * two resources can name one channel, after a create that returned an existing one, an adoption,
 * an import under a second name, or a rename. Whoever stays in the program keeps it.
 *
 * The plugin knows a resource by its URN. A dynamic provider gets no name, so there a resource is
 * identified by its declaration: resources with equal declarations count as one.
 */
import { setImmediate } from "node:timers/promises";
import { parseUrn } from "../common/urn";
import type { Properties } from "./boundary";
import { onePerConnection } from "./connection";

/**
 * How a resource of this run has an object: it has recorded it; it has recorded it and is to be
 * replaced, so that it keeps it no more; it takes it over or is given it by the service; or it had
 * adopted it and has left it in the service.
 */
type Hold = "recorded" | "replaced" | "taken" | "left";

class Keepers {
  readonly #holds = new Map<string, Map<string, Hold>>();

  /** By resource, the number of its declarations that are still to be created. */
  readonly #declared = new Map<string, number>();

  /** Notes that the program declares a resource. */
  declare(resource: string, isNew: boolean): void {
    const before = this.#declared.get(resource) ?? 0;
    this.#declared.set(resource, isNew ? before + 1 : before);
  }

  /** Whether the program declares a resource; false in a refresh, which compares as well. */
  isDeclared(resource: string): boolean {
    return this.#declared.has(resource);
  }

  /**
   * Notes that the resource of this name is created, so it keeps nothing that an old half of it had
   * recorded: the engine does not tell a provider that it replaces a resource for a reason of its
   * own.
   * @returns false if no declaration is left to be created, so that this repeats an earlier create
   */
  begin(resource: string): boolean {
    for (const holds of this.#holds.values())
      if (holds.get(resource) === "recorded") holds.set(resource, "replaced");

    const declared = this.#declared.get(resource) ?? 0;
    this.#declared.set(resource, Math.max(0, declared - 1));

    return declared > 0;
  }

  /**
   * Notes that a declared resource has recorded an object, and whether it is to be replaced.
   * @returns another resource that keeps the same object
   */
  note(object: string, resource: string, isReplaced: boolean): string | undefined {
    const holds = this.#of(object);
    if (this.isDeclared(resource) && holds.get(resource) !== "taken")
      holds.set(resource, isReplaced ? "replaced" : "recorded");

    return isReplaced ? undefined : this.#rival(object, resource);
  }

  /**
   * Notes that a resource takes an object over, or is given it by the service. @returns another
   * resource that keeps it
   */
  take(object: string, resource: string): string | undefined {
    this.#of(object).set(resource, "taken");
    return this.#rival(object, resource);
  }

  /** Notes that the record of an adopted object is removed, which no other delete may undo. */
  leave(object: string, resource: string): void {
    const holds = this.#of(object);
    if (holds.get(resource) !== "taken") holds.set(resource, "left");
  }

  /** Another resource that keeps an object, or has left it in the service. */
  other(object: string, resource: string): string | undefined {
    return this.#keepers(object).find(([name]) => name !== resource)?.[0];
  }

  /**
   * The resource because of which an object is not deleted. In a destroy the adopter's record may
   * come right after this one, so calls that have arrived are waited for.
   * @param urn of the resource that is deleted, where it is known
   */
  async keeperOf(object: string, urn?: string): Promise<string | undefined> {
    await setImmediate();

    // Of this resource, only the old half has recorded the object.
    return this.#keepers(object).find(([name, hold]) => name !== urn || hold === "taken")?.[0];
  }

  /** Whether a resource of this run has or had an object. */
  isKnown(object: string): boolean {
    return this.#of(object).size > 0;
  }

  /** Another resource that goes on to have an object. */
  #rival(object: string, resource: string): string | undefined {
    const isRival = ([name, hold]: [string, Hold]) => name !== resource && hold !== "left";
    return this.#keepers(object).find(isRival)?.[0];
  }

  #keepers(object: string): [resource: string, hold: Hold][] {
    return [...this.#of(object)].filter(([, hold]) => hold !== "replaced");
  }

  #of(object: string): Map<string, Hold> {
    const holds = this.#holds.get(object) ?? new Map<string, Hold>();
    this.#holds.set(object, holds);

    return holds;
  }
}

function named(keeper: string): string {
  return keeper.startsWith("urn:")
    ? `resource ${JSON.stringify(parseUrn(keeper).name)}`
    : "another resource of this run";
}

/** Warning about two declared resources that name one object. */
export function keptByTwo(title: string, other: string): string {
  return `${title}: ${named(other)} also has it, or takes it over: remove one of the two`;
}

/**
 * Warning about an object that is not deleted.
 * @param urn of the resource that is removed, where it is known
 */
export function notDeleted(title: string, keeper: string, urn: string | undefined): string {
  const isReplacement = keeper === urn;
  const orReplacement = urn === undefined ? ", or its replacement," : "";
  const who = isReplacement ? "its replacement" : `${named(keeper)}${orReplacement}`;

  return `${title} is not deleted, because ${who} has it or takes it over. It leaves the state of the removed resource and stays in the service`;
}

/**
 * Name of a resource: its URN, or what it declares where that is unknown.
 * @param declared its inputs as they were checked
 */
export function resourceOf(declared: Properties, urn: string | undefined): string {
  return urn ?? JSON.stringify(Object.entries(declared).sort());
}

export const channelKeepers = onePerConnection(() => new Keepers());
