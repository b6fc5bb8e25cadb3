/** The channels of a list that can be taken over, each with a name for its resource. */
import { CHANNEL_RULES } from "../../client/channel-rules";
import { isUuid } from "../../common/uuid";
import { plain } from "../text";
import type { ChannelList, DomainChannels, ListedChannel } from "./list";

/** A channel, and what taking it over needs. */
export interface Adoptable extends ListedChannel {
  domainId: string;
  /** Name of its domain, or the id if it has none. */
  domain: string;
  /** Name for its resource. */
  name: string;
  /** Reason why it is left out; undefined if it is not. */
  reason: string | undefined;
}

/** The channels of each domain. Two spellings of a domain's id list the same ones. */
export function adoptableChannels(domains: readonly DomainChannels[]): Adoptable[][] {
  const seen = new Set<string>();
  const listed = domains.map(({ id: domainId, domain, channels }) =>
    (channels ?? []).map((channel) => {
      const reason = seen.has(channel.id) ? "it is listed above" : obstacle(channel);
      seen.add(channel.id);
      return { ...channel, domainId, domain: domain ?? domainId, name: "", reason };
    }),
  );
  nameChannels(listed.flat());
  return listed;
}

/** Reason why a channel cannot be taken over, or need not be; undefined if there is none. */
function obstacle({ id, label, type, isProtected, recorded }: ListedChannel): string | undefined {
  if (recorded) return "the stack has recorded it already";
  if (isProtected) return "the service protects it, so it cannot be taken over";
  if (CHANNEL_RULES.type(type, {})) return "this package does not know its type";
  const problem = CHANNEL_RULES.label(label, {});
  if (problem) return `its label ${problem} in the service first`;
  return isUuid(id) ? undefined : "its id is not a UUID";
}

/** Longest part of a name, so that a long label does not make the whole name unreadable. */
const MAX_PART_LENGTH = 40;

/**
 * Names each channel; the name is also the key of its secret. Channels whose names would be the same get the beginning of their
 * ids, whichever comes first: a name must not change because another channel was recorded meanwhile.
 */
function nameChannels(channels: readonly Adoptable[]): void {
  const levels = [
    ({ domain, label, type }: Adoptable) => words(domain, label, type),
    ({ domain, label, type, id }: Adoptable) => words(domain, label, type, id.slice(0, 8)),
    ({ domain, label, type, id }: Adoptable) => words(domain, label, type, id),
  ];
  let open = channels;
  for (const nameOf of levels) {
    const claims = new Map<string, number>();
    for (const channel of open) {
      channel.name = nameOf(channel);
      claims.set(channel.name, (claims.get(channel.name) ?? 0) + 1);
    }
    open = open.filter(({ name }) => claims.get(name) !== 1);
  }
}

function words(...texts: string[]): string {
  return texts
    .map(slug)
    .filter((part) => part !== "")
    .join("-");
}

/** What is missing in a list, one line each. */
export function problemsOf({ domains, notes }: ChannelList): string[] {
  const failures = domains.flatMap(({ id, failure }) =>
    failure ? `domain ${id} could not be listed: ${failure.message}` : [],
  );
  return [...failures, ...notes].map((problem) => plain(problem, 500));
}

/** `Büro: Nord` becomes `buro-nord`; letters without an ASCII form are dropped. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_PART_LENGTH)
    .replace(/^-|-$/g, "");
}
