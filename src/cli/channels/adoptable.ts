/** Which channels can be taken over, and what that needs. Pure. */
import { CHANNEL } from "../../client/fields";
import { edgeProblem, isUuid } from "../../client/rules";
import { nameOf } from "../text";
import { type ChannelList, described, failureLines, type ListedChannel } from "./list";
import { type Placed, resourceNames } from "./names";

/** A channel, and what taking it over needs. */
export interface Adoptable extends ListedChannel {
  /** Name for its resource. */
  name: string;

  /** Reason why it is left out; undefined if it is not. */
  reason: string | undefined;
}

export interface AdoptableDomain {
  id: string;
  name: string;
  channels: Adoptable[];
}

export function adoptableDomains({ domains }: ChannelList): AdoptableDomain[] {
  const all = domains.flatMap((domain) =>
    (domain.channels ?? []).map((channel) => ({ channel, domain })),
  );

  const resourceNameOf = resourceNames(all);
  const adoptable = (placed: Placed): Adoptable => ({
    ...placed.channel,
    name: resourceNameOf(placed),
    reason: obstacle(placed.channel),
  });

  return domains.map((domain) => ({
    id: domain.id,
    name: nameOf(domain),
    channels: all.filter((placed) => placed.domain === domain).map(adoptable),
  }));
}

/** Reason why a channel cannot be taken over, or need not be; undefined if there is none. */
function obstacle({ id, label, type, isProtected, recorded }: ListedChannel): string | undefined {
  if (recorded) return "the stack has recorded it already";
  if (isProtected) return "the service protects it, so it cannot be taken over";
  if (CHANNEL.type.rule(type, {})) return "this package does not know its type";

  const problem = CHANNEL.label.rule(label, {}) ?? edgeProblem(label);
  if (problem) return `its label ${problem} in the service first`;

  return isUuid(id) ? undefined : "its id is not a UUID";
}

export function isTakenOver({ reason }: Adoptable): boolean {
  return reason === undefined;
}

/** A channel that is left out, and why. */
export function leftOut(channel: Adoptable): string {
  return `${described(channel)}: ${channel.reason}`;
}

/** Whatever the list lacks, one line for each. */
export function gapsOf({ domains, notes }: ChannelList): string[] {
  return [...failureLines(domains).map((line) => `not listed: ${line}`), ...notes];
}
