/**
 * Names in a program that takes channels over. Each has candidates, the shortest first, and gets
 * the first that is clear; none depends on what was recorded meanwhile. Pure.
 */
import { createHash } from "node:crypto";
import type { DomainChannels, ListedChannel } from "./list";

/** A channel and the domain that it was listed for. */
export interface Placed {
  channel: ListedChannel;
  domain: DomainChannels;
}

type NameOf<T> = (item: T) => string;

/** A resource name for each channel, with as much of its id as it needs. */
export function resourceNames(all: readonly Placed[]): NameOf<Placed> {
  const candidates = ({ channel: { label, type, id }, domain }: Placed) =>
    ["", id.slice(0, 8), id].map((idPart) => join(domain.domain ?? domain.id, label, type, idPart));

  return firstClear(all, candidates, (claimants) => areOne(claimants, ({ channel }) => channel.id));
}

/**
 * The key of the secret with a channel's destination. Channels of many domains with one type and
 * label mostly have one destination, so they share a secret. Two of one domain have a secret each,
 * and so have different labels whose keys would be the same.
 */
export function secretKeys(all: readonly Placed[]): NameOf<Placed> {
  const candidates = ({ channel }: Placed) => {
    const key = join(channel.label, channel.type);
    return [key, `${key}-${digest(pairOf(channel))}`, `${key}-${digest(channel.id)}`];
  };

  return firstClear(all, candidates, (claimants) => {
    const domains = new Set(claimants.map(({ domain }) => domain));
    const isOnceADomain = domains.size === claimants.length;

    return isOnceADomain && areOne(claimants, ({ channel }) => pairOf(channel));
  });
}

/** A constant for the id of each domain. Its beginning makes it valid and no reserved word. */
export function constants(domains: readonly DomainChannels[]): NameOf<DomainChannels> {
  const candidates = ({ domain }: DomainChannels, index: number) => {
    const name = join("domain", domain ?? "").replace(/-(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    );

    // No other name has an underscore.
    return [name, `${name}_${index + 1}`];
  };

  return firstClear(domains, candidates, ({ length }) => length === 1);
}

/** Finds, for each item, the first of its candidates that is clear among the items that have it. */
function firstClear<T>(
  items: readonly T[],
  candidatesOf: (item: T, index: number) => string[],
  isClear: (claimants: readonly T[]) => boolean,
): NameOf<T> {
  const candidates = items.map(candidatesOf);
  const claimants = new Map<string, Set<T>>();

  for (const [index, item] of items.entries())
    for (const name of candidates[index] ?? [])
      claimants.set(name, (claimants.get(name) ?? new Set()).add(item));

  const chosen = new Map(
    items.map((item, index) => {
      const own = candidates[index] ?? [];
      const clear = own.find((name) => isClear([...(claimants.get(name) ?? [])]));

      return [item, clear ?? own.at(-1)];
    }),
  );

  return (item) => chosen.get(item) ?? "";
}

function areOne<T>(items: readonly T[], keyOf: (item: T) => string): boolean {
  return new Set(items.map(keyOf)).size === 1;
}

function pairOf({ type, label }: ListedChannel): string {
  return JSON.stringify([type, label]);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
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
