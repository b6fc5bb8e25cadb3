/** Names in a written program: readable, made of ASCII letters and digits only, and unique. */

/** Longest part of a name, so that a long label does not make the whole name unreadable. */
const MAX_PART_LENGTH = 40;

/** Values that the name of a channel is made from. */
export interface Named {
  id: string;
  domain: string;
  label: string;
  type: string;
}

/**
 * A resource name for each channel, which is also the key of its secret. Channels whose names would be the same get the
 * beginning of their ids, whichever comes first: a name must not change because another channel was recorded meanwhile.
 */
export function channelNames(channels: readonly Named[]): Map<Named, string> {
  const levels = [
    ({ domain, label, type }: Named) => words(domain, label, type),
    (channel: Named) => words(channel.domain, channel.label, channel.type, channel.id.slice(0, 8)),
    (channel: Named) => words(channel.domain, channel.label, channel.type, channel.id),
  ];
  const names = new Map<Named, string>();
  let open = channels;
  for (const name of levels) {
    const claims = new Map<string, number>();
    for (const channel of open) claims.set(name(channel), (claims.get(name(channel)) ?? 0) + 1);
    for (const channel of open) names.set(channel, name(channel));
    open = open.filter((channel) => claims.get(name(channel)) !== 1);
  }
  return names;
}

/** A constant's name for each domain, in the same order. Its beginning makes it valid and no reserved word. */
export function domainConstants(domains: readonly string[]): string[] {
  const taken = new Set<string>();
  return domains.map((domain) => {
    const base = `domain-${slug(domain)}`.replace(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase());
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
    taken.add(name);
    return name;
  });
}

function words(...texts: string[]): string {
  return texts
    .map(slug)
    .filter((part) => part !== "")
    .join("-");
}

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
