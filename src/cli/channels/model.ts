/** What the command `channels` has found. */

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
export interface ListedChannel {
  /** Identifier of the channel. */
  id: string;
  /** Display label. */
  label: string;
  /** Kind of channel; others than those that can be created occur. */
  type: string;
  /** Display name of the type. */
  typeHuman: string;
  /** Whether it is notified of WHOIS changes. */
  whoisNotificationsEnabled: boolean;
  /** Whether it is notified of changes of DNS records. */
  dnsNotificationsEnabled: boolean;
  /** Whether it is notified of certificate issues. */
  sslNotificationsEnabled: boolean;
  /** Whether the service protects it. */
  isProtected: boolean;
  /** Whether the service has switched it off. */
  isDisabled: boolean;
  /** Why it is switched off; null if it is not. */
  disabledReason: string | null;
  /** `SQL-TS`; null until a notification has been sent. */
  lastNotificationSentAt: string | null;
  /** `SQL-TS`. */
  createdAt: string;
  /** Whether the stack has recorded it; null without `--from-stack`. */
  recorded: boolean | null;
}
