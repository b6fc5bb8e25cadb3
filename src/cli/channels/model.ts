/** What the command `channels` has found. */
import type { NotificationChannelData } from "../../client/types";

/** What `--format json` prints. Within `version` 1, fields may be added but not renamed or removed. */
export interface ChannelList {
  /** Version of this format. */
  version: 1;
  /** In the order in which the ids were given. */
  domains: DomainChannels[];
  /** What was skipped in a stack, and why. */
  notes: string[];
}

/** The channels of one domain. */
export interface DomainChannels {
  /** Id of the domain. */
  id: string;
  /** Domain name; null if it could not be determined. */
  domain: string | null;
  /** Oldest first; null if they could not be listed. */
  channels: ListedChannel[] | null;
  /** Why they could not be listed; null if they could. */
  failure: { kind: string; status: number | null; message: string } | null;
}

/** One channel. No response of the service has its destination. */
export interface ListedChannel
  extends Omit<NotificationChannelData, "lastNotificationSentAtHuman" | "createdAtHuman"> {
  /** Whether the stack has recorded it; null without `--from-stack`. */
  recorded: boolean | null;
}

/** Such as `3 channels of 2 domains, 1 recorded in the stack; 1 domain could not be listed`. */
export function summaryLine({ domains }: ChannelList): string {
  const channels = domains.flatMap((domain) => domain.channels ?? []);
  const recorded = channels.filter((channel) => channel.recorded).length;
  const failed = domains.filter(({ failure }) => failure !== null).length;
  const listed = `${count(channels.length, "channel")} of ${count(domains.length - failed, "domain")}`;
  return [
    recorded > 0 ? `${listed}, ${recorded} recorded in the stack` : listed,
    ...(failed > 0 ? [`${count(failed, "domain")} could not be listed`] : []),
  ].join("; ");
}

/** Such as `1 channel` or `2 channels`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
