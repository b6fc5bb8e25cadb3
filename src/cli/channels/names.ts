/**
 * Names of the resources in a program that takes channels over: the shortest that is unique, which
 * doesn't depend on what was recorded meanwhile. Pure.
 */
import { nameOf } from "../text";
import type { DomainChannels, ListedChannel } from "./list";

/** A channel and the domain that it was listed for. */
export interface Placed {
  channel: ListedChannel;
  domain: DomainChannels;
}

/** A resource name for each channel, with as much of its id as it needs. */
export function resourceNames(all: readonly Placed[]): (placed: Placed) => string {
  const claimants = new Map<string, Set<string>>();

  for (const placed of all)
    for (const name of candidates(placed))
      claimants.set(name, (claimants.get(name) ?? new Set()).add(placed.channel.id));

  return (placed) => {
    const names = candidates(placed);
    return names.find((name) => claimants.get(name)?.size === 1) ?? names.join("-");
  };
}

/** The shortest name, with the beginning of the id, and with all of it. */
function candidates({ channel: { label, type, id }, domain }: Placed): string[] {
  return ["", id.slice(0, 8), id].map((part) => join(nameOf(domain), label, type, part));
}

function join(...parts: string[]): string {
  return parts
    .map(slug)
    .filter((part) => part !== "")
    .join("-");
}

/** Longest part of a name, so that a long label does not make the whole name unreadable. */
const MAX_PART_LENGTH = 40;

/** `Büro: Nord` becomes `buro-nord`; letters without an ASCII form are dropped. */
function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_PART_LENGTH)
    .replace(/^-|-$/g, "");
}
