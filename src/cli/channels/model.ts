/** Result of the command `channels`. */
import type { NotificationChannelData } from "../../client/types";

/** Output of `--format json`. Within `version` 1, fields may be added but not renamed or removed. */
export interface ChannelList {
  /** Version of this format. */
  version: 1;
  /** In the order given; with `--all`, by name. */
  domains: DomainChannels[];
  /** One line for each skipped channel of a stack, with the reason. */
  notes: string[];
}

/** The channels of one domain. */
export interface DomainChannels {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  /** Domain name; null if it could not be determined. */
  domain: string | null;
  /** Oldest first; null if they could not be listed. */
  channels: ListedChannel[] | null;
  /** Reason why they could not be listed; null if they could. */
  failure: { kind: string; status: number | null; message: string } | null;
}

/** One channel without texts that change by themselves. No response of the service has its destination. */
export interface ListedChannel
  extends Omit<NotificationChannelData, "createdAtHuman" | "lastNotificationSentAtHuman"> {
  /** Whether the stack has recorded it; null without `--from-stack`. */
  recorded: boolean | null;
}
