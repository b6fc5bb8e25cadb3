/**
 * Which resources of this run want a channel. The records of two resources can name one: after a
 * create that returned an existing channel, an adoption, an import under a second name, a reference
 * in place of a declaration, or a rename. While any resource wants a channel, no delete of it is
 * sent.
 *
 * A resource is its URN in the plugin, and its name in the npm package, whose program hands it over,
 * because a dynamic provider is not told the URN. A record of an earlier version has neither.
 */
import { parseUrn } from "../names";
import type { Properties } from "./boundary";
import { onePerConnection } from "./connection";

/**
 * The relation of a resource to a channel in this run.
 * - `recorded`: its record names the channel, and the program goes on to declare it
 * - `taken`: it adopts or imports the channel
 * - `given`: the service has returned the channel to its create, or its record has it as adopted
 * - `kept`: it refers to the channel, or had adopted it and leaves it in the service
 * - `dropped`: its record names the channel, and it is to be replaced
 * - `deleted`: its record named the channel, which was deleted
 */
type Hold = "recorded" | "taken" | "given" | "kept" | "dropped" | "deleted";

/** Two resources with one channel, in words. */
interface Rivalry {
  message: string;
  isRefused: boolean;
}

class Keepers {
  /** By channel and resource. */
  readonly #holds = new Map<string, Map<string, Hold>>();
  readonly #declared = new Set<string>();

  /** Notes that the program declares a resource. */
  declare(resource: string): void {
    this.#declared.add(resource);
  }

  /** Whether the program declares a resource; false in a refresh, which compares as well. */
  isDeclared(resource: string): boolean {
    return this.#declared.has(resource);
  }

  /** Whether the run has no program, so that nothing but its deletes says who has what. */
  get isDestroy(): boolean {
    return this.#declared.size === 0;
  }

  /** Notes a hold. What this run has given to a resource counts for more than its record. */
  note(channel: string, resource: string, hold: Hold): void {
    const holds = this.#holds.get(channel) ?? new Map<string, Hold>();
    this.#holds.set(channel, holds);
    const current = holds.get(resource);
    const isNew = current === "taken" || current === "given";
    if (!isNew || hold === "deleted") holds.set(resource, hold);
  }

  /**
   * Notes that a resource is created, so that it drops what its record names: the engine does not
   * tell a provider that it replaces a resource for a reason of its own.
   */
  dropRecorded(resource: string): void {
    for (const holds of this.#holds.values())
      if (holds.get(resource) === "recorded") holds.set(resource, "dropped");
  }

  /**
   * The resource because of which a channel is not deleted.
   * @param removed the resource whose record is removed; that this record names it is no reason
   */
  wantedBy(channel: string, removed: string): string | undefined {
    const wants = ([resource, hold]: [string, Hold]) =>
      KEEPING.includes(hold) || (hold === "recorded" && resource !== removed);

    return this.#of(channel).find(wants)?.[0];
  }

  /** Another resource that has the channel in the state, or is given it by this run. */
  rivalOf(channel: string, resource: string): [resource: string, hold: Hold] | undefined {
    return this.#of(channel).find(
      ([other, hold]) => other !== resource && hold !== "kept" && hold !== "deleted",
    );
  }

  /**
   * The objection to two resources with one channel: a run in which one of them takes it over is
   * refused, any other one only warns.
   * @param title of the channel
   */
  rivalry(channel: string, resource: string, title: () => string): Rivalry | undefined {
    const rival = this.rivalOf(channel, resource);
    if (rival === undefined) return undefined;

    const [other, otherHold] = rival;
    const hold = this.#holds.get(channel)?.get(resource);
    const isRefused = hold === "taken" || otherHold === "taken";
    if (hold !== "dropped" && otherHold !== "dropped")
      return { message: sharedByTwo(title(), other), isRefused };

    if (!isRefused) return undefined;
    const [replaced, taking] = hold === "dropped" ? [resource, other] : [other, resource];

    return { message: replacedAndTaken(title(), replaced, taking), isRefused };
  }

  /** Whether a resource of this run has or had a channel, or has it in this way. */
  has(channel: string, way?: Hold): boolean {
    return this.#of(channel).some(([, hold]) => way === undefined || hold === way);
  }

  #of(channel: string): [resource: string, hold: Hold][] {
    return [...(this.#holds.get(channel) ?? [])];
  }
}

/** Ways to have a channel that keep it, whoever removes a record of it. */
const KEEPING: readonly Hold[] = ["taken", "given", "kept"];

export const channelKeepers = onePerConnection(() => new Keepers());

/**
 * The resource that a call is about; empty if a record of an earlier version does not tell.
 * @param properties as declared or recorded
 * @param urn known to the plugin alone
 */
export function resourceOf({ resourceName }: Properties, urn: string | undefined): string {
  return urn ?? (typeof resourceName === "string" ? resourceName : "");
}

/** A resource in a message. */
function resourceTitle(resource: string): string {
  if (resource === "") return "another resource of this run";
  return `resource ${JSON.stringify(resource.startsWith("urn:") ? parseUrn(resource).name : resource)}`;
}

function sharedByTwo(title: string, other: string): string {
  return `${title}: ${resourceTitle(other)} also has it, or takes it over: remove one of the two`;
}

/**
 * The replacement of one resource deletes what another one takes over; with `deleteBeforeReplace`,
 * which the provider is not told, before that one can take it over.
 */
function replacedAndTaken(title: string, replaced: string, taking: string): string {
  return (
    `${title}: ${resourceTitle(replaced)} is replaced, and ${resourceTitle(taking)} takes its channel over. ` +
    "With deleteBeforeReplace, the channel would be deleted first: make these two changes in two updates"
  );
}

/**
 * Warning about a channel that is not deleted.
 * @param removed the resource whose record is removed
 */
export function notDeleted(title: string, keeper: string, removed: string): string {
  const who = keeper === removed && keeper !== "" ? "its replacement" : resourceTitle(keeper);

  return `${title} is not deleted, because ${who} has it, takes it over or refers to it. It leaves the state of the removed resource and stays in the service`;
}

/** Warning about a channel that two records name. */
export function deletedWithAnother(title: string): string {
  return `${title} leaves the state: this run deletes it with another resource that also has it`;
}
