/** Arguments of calls: channels and domains to create or change, and the options of a call. */
import type { ChannelType, NotificationFlags } from "./types";

type Nullable<T> = { [Name in keyof T]: T[Name] | null };

/**
 * Input for creating a channel (interface.md, section 4.4). Flags that are null or left out are
 * true, the service's default.
 */
export interface CreateNotificationChannel extends Partial<Nullable<NotificationFlags>> {
  /** 3 to 100 characters, counted as code points. */
  label: string;

  /** Kind of channel. */
  type: ChannelType;

  /** The destination; its format depends on the type. Required, but may be null. */
  value: string | null;

  /** Extra value for certain types; for a webhook the HTTP method. @default null */
  secondaryValue?: string | null;
}

/**
 * Changes to a channel. Fields that are left out stay as they are; at least one is required.
 * Whether the service accepts another `type` is unknown, and so is what null means. A flag cannot
 * be null.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface UpdateNotificationChannel
  extends Partial<NotificationFlags & Pick<CreateNotificationChannel, "label" | "type">> {
  /** Another destination. */
  value?: string | null;

  /** Extra value for certain types; for a webhook the HTTP method. */
  secondaryValue?: string | null;
}

/**
 * A domain to add; the service chooses what is left out.
 * @experimental it has not been run against the service
 */
export interface CreateDomain {
  /** Domain name, for example `example.com`. */
  domain: string;

  /** Display label. */
  label: string;

  /** Free text. */
  description?: string | null;

  /** Colour of the label. */
  colour?: string | null;

  /**
   * How often the registration is checked, such as `weekly`. Which intervals there are depends on
   * the account's plan.
   */
  whoisCheckInterval?: string;

  /** How often DNS records are checked. */
  dnsCheckInterval?: string;

  /** Types of DNS records to monitor, such as `MX`. */
  enabledDnsRecords?: readonly string[];
}

/**
 * Changes to a domain, whose name stays. Fields that are left out stay as they are; at least one is
 * required.
 * @experimental it has not been run against the service
 */
export type UpdateDomain = Partial<Omit<CreateDomain, "domain">>;

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, even while it is queued, connecting or waiting to retry. */
  signal?: AbortSignal;

  /**
   * Deadline of the whole call in milliseconds, as the client's `timeoutMs`. @default the client's
   * `timeoutMs`
   */
  timeoutMs?: number;

  /** Further attempts after the first; 0 for none. @default the client's `maxRetries` */
  maxRetries?: number;

  /**
   * Further secrets, removed from every text of the service. @internal the client knows its token
   * and the call's own destinations
   */
  secrets?: readonly string[];
}
