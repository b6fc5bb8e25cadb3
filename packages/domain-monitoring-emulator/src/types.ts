/**
 * The public types of the local service: an HTTP server on loopback that implements the whole
 * interface, for tests, examples and demos. Where the interface leaves something open, an option
 * decides.
 */
import type { DnsComponent, Lifecycle, MonitoredComponent, SslComponent } from "./interface";
import type { OPERATIONS } from "./served";

/**
 * The operations, as named in the log of requests and in faults: the four of the interface, the
 * list of domains, and those of `lifecycle: "managed"`.
 */
export type EmulatorOperation = keyof typeof OPERATIONS;

/** Options of {@link startEmulator}. */
export interface EmulatorOptions {
  /** Port on 127.0.0.1. @default 0: any free port */
  port?: number;

  /** The bearer token that requests must carry. @default a random one */
  token?: string;

  /**
   * Initial domains, or their number: the examples, followed by others. @default three example
   * domains with changes
   */
  domains?: DomainSeed[] | number;

  /** Other accounts at the same address: the domains of each, by its token. @default none */
  accounts?: Record<string, DomainSeed[]>;

  /** Initial faults, as by `fault()`. @default none */
  faults?: FaultRule[];

  /**
   * A whole number from which all ids are derived: the same seed and calls give the same ids.
   * @default random ids
   */
  seed?: number;

  /**
   * Time at which the clock stands still until `advance()`: a Date or an ISO 8601 string. @default
   * the system's clock
   */
  now?: Date | string;

  /** Serve the control endpoint under `/control`, with the same token. @default false */
  control?: boolean;

  /**
   * Status of the response to a create, which the interface leaves open: 200, 201, 202 or another
   * success with a body. @default 201
   */
  createStatus?: number;

  /** Order of lists, which the interface leaves open. @default "newest-first" */
  listOrder?: ListOrder;

  /**
   * Channels or domains on a page of their list, from 1. Not stated anywhere. @default 15, as for
   * change lists
   */
  perPage?: number;

  /**
   * Most requests in a window of time: more get 429. Windows follow the emulator's clock.
   * @default none
   */
  rateLimit?: RateLimit;

  /**
   * Whether the domains can be listed, which is experimental: names of domains and `--all` need it.
   * @default true
   */
  listDomains?: boolean;

  /**
   * `managed`: channels can also be listed, read, changed and removed, and domains be created and
   * changed. These operations are experimental: see "Managed channels" at the homepage.
   * @default "create-only"
   */
  lifecycle?: Lifecycle;
}

/** Order of a list. */
export type ListOrder = "newest-first" | "oldest-first";

/**
 * A limit of requests in a window of time. `X-RateLimit-*` of every response has how many are left.
 */
export interface RateLimit {
  /** Requests that are accepted in a window. */
  requests: number;

  /** Length of a window in seconds. */
  perSeconds: number;
}

/**
 * The point at which the connection of a request breaks or falls silent:
 *
 * - `before`: nothing is done and nothing is sent
 * - `after`: the work is done, nothing is sent
 * - `headers`: the work is done, status and headers are sent
 * - `body`: the work is done, status, headers and half of the body are sent
 */
export type BreakingPoint = "before" | "after" | "headers" | "body";

/** A rule by which requests fail. All effects of a rule apply to the same request. */
export interface FaultRule {
  /** @default every operation */
  operation?: EmulatorOperation;

  /** Number of matching requests that it hits before it is used up. @default 1 */
  times?: number | "always";

  /** Matching requests to let pass first. @default 0 */
  after?: number;

  /**
   * Wait this many milliseconds of real time before the work. The work is done even if the client
   * has left.
   */
  delayMs?: number;

  /** Respond with this status instead of doing the work. */
  status?: number;

  /**
   * Headers of the response, such as `Retry-After`; without a `status` they are added to those of
   * the real response, or replace them.
   */
  headers?: Record<string, string>;

  /**
   * Body of a response with a `status`; a string is sent as `text/html`. @default `{ "message": …
   * }`
   */
  body?: unknown;

  /** Send bytes that are neither JSON nor UTF-8 instead of the body. */
  garbage?: boolean;

  /**
   * Send only this many bytes of the body, as if there were no more: the response is complete as
   * HTTP and cut as JSON.
   */
  truncate?: number;

  /** Break the connection at this point. */
  reset?: BreakingPoint;

  /**
   * Fall silent at this point, with the connection open until the client, `reset()` or `close()`
   * ends it.
   */
  stall?: BreakingPoint;
}

/** A domain to serve. Fields that are left out are those of a healthy, checked domain. */
export interface DomainSeed {
  /** @default a random UUID */
  id?: string;

  /** Domain name. @default `example-N.com` */
  domain?: string;

  /** Display label. @default the domain name */
  label?: string;

  /** Free text. @default null */
  description?: string | null;

  /** Colour of the label. @default one, or null where it is not checked */
  colour?: string | null;

  /** Registrar; null before the first WHOIS check. @default `Example Registrar` */
  provider?: string | null;

  /**
   * `DATE`, or null, which the interface does not have, as before the first WHOIS check.
   * @default a year from now, or null where it is not checked
   */
  expiresAt?: string | null;

  /** Whether the first checks have run. Without them nullable fields are null. @default true */
  checked?: boolean;

  /** State of the WHOIS component, field by field. Undocumented values are allowed. */
  whois?: Partial<MonitoredComponent>;

  /** State of the DNS component, field by field. */
  dns?: Partial<DnsComponent>;

  /** State of the SSL component, field by field. */
  ssl?: Partial<SslComponent>;

  /** Its WHOIS changes. @default none */
  whoisChanges?: ChangeSeed[];

  /** Its DNS changes. @default none */
  dnsChanges?: ChangeSeed[];

  /** Its channels, made by hand: oldest first. @default none */
  channels?: ChannelSeed[];
}

/**
 * Changes to a domain. Fields that are left out stay, also within a component. `checked: true` runs
 * a check now; `checked: false` removes what checks have found.
 */
export type DomainUpdate = Omit<DomainSeed, "id" | "whoisChanges" | "dnsChanges" | "channels">;

/** A change to serve. */
export interface ChangeSeed {
  /** @default a random UUID */
  id?: string;

  /** @default `registrar` for WHOIS, `a_records` for DNS */
  fieldChanged?: string;

  /** A list is served as JSON in a string, as the interface says. */
  oldValue?: unknown;

  /** As `oldValue`. */
  newValue?: unknown;

  /** `SQL-TS`. @default now */
  createdAt?: string;
}

/** A request that the emulator received, without headers and secrets. */
export interface LoggedRequest {
  /** HTTP method. */
  method: string;

  /** Path with query, as sent; the token and destinations are redacted. */
  path: string;

  /** Null where no operation matched. */
  operation: EmulatorOperation | null;

  /**
   * Status that was sent; 0 where a fault broke or silenced the connection before there was one.
   */
  status: number;
}

/** A domain that exists in the emulator. Its id is a UUID unless the seed gave another. */
export interface EmulatedDomain {
  /** Its id. */
  id: string;

  /** Domain name. */
  domain: string;

  /** Display label. */
  label: string;

  /**
   * The integer that identifies it in change records; change lists accept it in their address too.
   */
  number: number;
}

/**
 * A channel made in the service's own settings. Fields that are left out are those of an enabled
 * channel of the type `email`.
 */
export type ChannelSeed = Partial<Omit<EmulatedChannel, "domainId">>;

/** Changes to a channel, as made in the service's own settings. Fields that are left out stay. */
export type ChannelUpdate = Omit<ChannelSeed, "id" | "createdAt">;

/**
 * A channel that exists in the emulator, with its destination, so that tests can search for it
 * elsewhere. Flags that a create left out, or sent as null, are true.
 */
export interface EmulatedChannel {
  /** A UUID. */
  id: string;

  /** Id of its domain. */
  domainId: string;

  /** Display label. */
  label: string;

  /** Kind of channel. */
  type: string;

  /** Display name of the type. */
  typeHuman: string;

  /** The destination, which no response shows. */
  value: string | null;

  /** For a webhook the HTTP method, or null; no response shows it. */
  secondaryValue: string | null;

  /** Whether it is notified of WHOIS changes. */
  whoisNotificationsEnabled: boolean;

  /** Whether it is notified of changes of DNS records. */
  dnsNotificationsEnabled: boolean;

  /** Whether it is notified of certificate issues. */
  sslNotificationsEnabled: boolean;

  /** Whether the service protects it; false for a new channel. */
  isProtected: boolean;

  /** Whether the service has switched it off; false for a new channel. */
  isDisabled: boolean;

  /** Reason why it is switched off; null if it is not. */
  disabledReason: string | null;

  /** `SQL-TS`; null until a notification has been sent. */
  lastNotificationSentAt: string | null;

  /** `SQL-TS`. */
  createdAt: string;
}

/** A length of time: the sum of its parts. */
export interface Duration {
  /** Days of 24 hours. */
  days?: number;

  /** Hours. */
  hours?: number;

  /** Minutes. */
  minutes?: number;

  /** Seconds. */
  seconds?: number;
}

/** The domains and channels of an account. */
export interface EmulatedAccount {
  /** The domains, oldest first. */
  domains(): EmulatedDomain[];

  /** The channels of one domain, or of all, oldest first. Copies. */
  channels(domainId?: string): EmulatedChannel[];

  /** Adds a domain and returns its id. */
  addDomain(domain?: DomainSeed): string;

  /** Changes a domain. @throws Error where there is no such domain */
  updateDomain(id: string, changes: DomainUpdate): void;

  /**
   * Lets the checks of a domain happen, as `updateDomain(id, { checked: true })`. @throws Error
   * where there is no such domain
   */
  check(id: string): void;

  /** Removes a domain with its changes and channels. @throws Error where there is no such domain */
  removeDomain(id: string): void;

  /** Adds a change to a domain, as the newest one. */
  addChange(domainId: string, kind: "whois" | "dns", change?: ChangeSeed): void;

  /**
   * Adds a channel, as in the service's own settings, and returns its id. @throws RangeError where
   * its id is not a UUID
   */
  addChannel(domainId: string, channel?: ChannelSeed): string;

  /**
   * Changes a channel, as in the service's own settings. @throws Error where there is no such
   * channel
   */
  updateChannel(id: string, changes: ChannelUpdate): void;

  /**
   * Removes a channel, as in the service's own settings. @throws Error where there is no such
   * channel
   */
  removeChannel(id: string): void;
}

/** A running local service. Its domains and channels are those of the account of `token`. */
export interface Emulator extends EmulatedAccount {
  /** Base address, such as `http://127.0.0.1:43210`. */
  readonly url: string;

  /** The bearer token that it accepts. */
  readonly token: string;

  /** The requests so far, of all accounts, oldest first. */
  readonly requests: readonly LoggedRequest[];

  /** The account of a token. @throws RangeError where there is none */
  account(token: string): EmulatedAccount;

  /**
   * Makes coming requests fail. @throws RangeError for a rule that is not valid or has no effect
   */
  fault(rule: FaultRule): void;

  /** Removes all faults that are left, including initial ones. */
  clearFaults(): void;

  /**
   * Ends every connection and refuses new ones, as a service that is down, until
   * `acceptConnections()`.
   */
  refuseConnections(): Promise<void>;

  /** Listens again, on the same port. */
  acceptConnections(): Promise<void>;

  /** The time of the emulator's clock. */
  now(): Date;

  /** Advances the emulator's clock. */
  advance(duration: Duration): void;

  /**
   * Back to the initial state: domains, channels, requests, faults, clock and ids. Ends requests
   * that a fault delays or stalls. Refused connections are accepted again; `await
   * acceptConnections()` waits for that.
   */
  reset(): void;

  /** Ends every connection and stops listening. */
  close(): Promise<void>;

  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
