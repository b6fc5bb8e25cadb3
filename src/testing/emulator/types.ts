/**
 * The local service: a real HTTP server on loopback that implements the whole interface, for tests, examples and demos.
 * It is not a model of the service's inner workings: it does what interface.md says, and what that leaves open is an
 * option with the plainest choice as its default.
 */
import type { DnsComponent, MonitoredComponent, SslComponent } from "../../client/types";
import type { FaultRule } from "./fault-types";

export type { BreakingPoint, FaultRule } from "./fault-types";

/** The four operations of the interface, by which requests are logged and faults are aimed. */
export type OperationName = "getDomain" | "listWhoisChanges" | "listDnsChanges" | "createNotificationChannel";

/** Options of {@link startEmulator}. */
export interface EmulatorOptions {
  /** Port on 127.0.0.1. @default 0: any free one */
  port?: number;
  /** The bearer token that requests must carry. @default a random one */
  token?: string;
  /** Domains to begin with. @default three example domains with changes: see `exampleDomains` */
  domains?: DomainSeed[];
  /** Faults to begin with, as by `fault()`. @default none */
  faults?: FaultRule[];
  /** A whole number that all ids come from: the same seed and the same calls give the same ids. @default random ids */
  seed?: number;
  /** A clock that stands still at this time until `advance()`: a Date or an ISO 8601 text. @default the system's clock */
  now?: Date | string;
  /**
   * A file that domains, changes and channels are kept in, so that they survive a restart. Where it exists, `domains` is
   * not looked at. It holds destinations in the clear; only its owner may read it. @default memory only
   */
  file?: string;
  /** Serve the control endpoint under `/control`, with the same token. @default false */
  control?: boolean;
  /** Status of the answer to a create, which the interface leaves open: 200, 201, 202 or another success with a body. @default 201 */
  createStatus?: number;
  /** Order of change lists, which the interface leaves open. `shuffled` is no order of time, the same on every page. @default "newest-first" */
  listOrder?: ListOrder;
  /** How a change record names its domain: by the domain's number, or by that number as a text. @default "integer" */
  changeDomainId?: "integer" | "string";
  /** Fields added to every object of an answer, to see that a client ignores what it does not know. @default none */
  extraFields?: Record<string, unknown>;
  /** The most requests in a window of time: more are answered 429. Windows follow the emulator's clock. @default none */
  rateLimit?: RateLimit;
  /** What the service decides about a new channel. @default not protected, not disabled, as in interface.md, section 3 */
  newChannels?: ChannelDetails;
}

/** Orders that a change list can come in. */
export type ListOrder = "newest-first" | "oldest-first" | "shuffled";

/** So many requests in so many seconds. Every answer says in `X-RateLimit-*` what is left. */
export interface RateLimit {
  /** How many are answered in a window. */
  requests: number;
  /** Length of a window in seconds. */
  perSeconds: number;
}

/** A domain to serve; what is left out takes the values of a healthy, checked domain. */
export interface DomainSeed {
  /** @default a random UUID */
  id?: string;
  /** Domain name. @default `example-N.com` */
  domain?: string;
  /** Display label. @default the domain name */
  label?: string;
  /** Free text. @default null */
  description?: string | null;
  /** Colour of the label. @default one where it is checked, else null */
  colour?: string | null;
  /** Registrar; null before the first WHOIS check. @default `Example Registrar` */
  provider?: string | null;
  /** `DATE`, or null as before the first WHOIS check. @default a year from now */
  expiresAt?: string | null;
  /** Whether the first checks have run. Without them nullable fields are null. @default true */
  checked?: boolean;
  /** State of the WHOIS component, field by field. Values that the interface does not show are served as they are. */
  whois?: Partial<MonitoredComponent>;
  /** State of the DNS component, field by field. */
  dns?: Partial<DnsComponent>;
  /** State of the SSL component, field by field. */
  ssl?: Partial<SslComponent>;
  /** Its WHOIS changes. @default none */
  whoisChanges?: ChangeSeed[];
  /** Its DNS changes. @default none */
  dnsChanges?: ChangeSeed[];
}

/**
 * What to change about a domain. What is left out stays, also within a component. `checked: true` is a check that runs
 * now; `checked: false` takes back what checks have found out.
 */
export type DomainUpdate = Omit<DomainSeed, "id" | "whoisChanges" | "dnsChanges">;

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

/** A request that the emulator answered, without its headers and without secrets. */
export interface LoggedRequest {
  /** HTTP method. */
  method: string;
  /** Path with query, as asked for; the token and destinations are blacked out. */
  path: string;
  /** Null where no operation of the interface matched. */
  operation: OperationName | null;
  /** Status that was sent; 0 where a fault broke or silenced the connection before there was one. */
  status: number;
}

/** A domain that exists in the emulator. */
export interface EmulatedDomain {
  /** Identifier, UUID-shaped if the seed says nothing else. */
  id: string;
  /** The integer by which change records name it, and which change lists are served under too. */
  number: number;
  /** Domain name. */
  domain: string;
  /** Display label. */
  label: string;
}

/** What the service says about a channel and its creator does not. */
export interface ChannelDetails {
  /** Display name of the type. @default that of the type, such as `Microsoft Teams` */
  typeHuman?: string;
  /** @default false */
  isProtected?: boolean;
  /** @default false */
  isDisabled?: boolean;
  /** @default null */
  disabledReason?: string | null;
  /** `SQL-TS`, or null until a notification has been sent. @default null */
  lastNotificationSentAt?: string | null;
}

/** What to change about a channel, as somebody would in the service's own settings. What is left out stays. */
export interface ChannelUpdate extends ChannelDetails {
  /** Display label. */
  label?: string;
  /** Whether it is notified of WHOIS changes. */
  whoisNotificationsEnabled?: boolean;
  /** Whether it is notified of changes of DNS records. */
  dnsNotificationsEnabled?: boolean;
  /** Whether it is notified of certificate issues. */
  sslNotificationsEnabled?: boolean;
}

/** A channel that exists in the emulator. Destinations are kept so that tests can look for them elsewhere. */
export interface EmulatedChannel {
  /** Identifier, a UUID. */
  id: string;
  /** Id of its domain. */
  domainId: string;
  /** As it was sent. */
  label: string;
  /** As it was sent. */
  type: string;
  /** Display name of the type. */
  typeHuman: string;
  /** The destination as it was sent. */
  value: string | null;
  /** As it was sent; null where it was left out. */
  secondaryValue: string | null;
  /** True where it was left out or null. */
  whoisNotificationsEnabled: boolean;
  /** True where it was left out or null. */
  dnsNotificationsEnabled: boolean;
  /** True where it was left out or null. */
  sslNotificationsEnabled: boolean;
  /** Whether the service protects it. */
  isProtected: boolean;
  /** Whether it is switched off. */
  isDisabled: boolean;
  /** Why it is switched off; null where it is not. */
  disabledReason: string | null;
  /** `SQL-TS`; null until a notification has been sent. */
  lastNotificationSentAt: string | null;
  /** `SQL-TS`. */
  createdAt: string;
}

/** A length of time; its parts add up. */
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

/** A running local service. */
export interface Emulator {
  /** Base address, such as `http://127.0.0.1:43210`. */
  readonly url: string;
  /** The bearer token that it accepts. */
  readonly token: string;
  /** What was asked for, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** The domains, oldest first. */
  domains(): EmulatedDomain[];
  /** The channels of one domain, or of all, oldest first: how many exist is the truth that tests count. */
  channels(domainId?: string): EmulatedChannel[];
  /** Adds a domain and returns its id. */
  addDomain(domain?: DomainSeed): string;
  /** Changes a domain. @throws Error where there is no such domain */
  updateDomain(id: string, changes: DomainUpdate): void;
  /** Removes a domain with its changes and channels. @throws Error where there is no such domain */
  removeDomain(id: string): void;
  /** Adds a change to a domain, as the newest one. */
  addChange(domainId: string, kind: "whois" | "dns", change?: ChangeSeed): void;
  /** Changes a channel, as somebody would by hand. @throws Error where there is no such channel */
  updateChannel(id: string, changes: ChannelUpdate): void;
  /** Makes coming requests fail as the rule says. */
  fault(rule: FaultRule): void;
  /** Forgets the faults that have not hit yet, also those that it started with. */
  clearFaults(): void;
  /** Breaks every connection and refuses new ones, as a service that is down, until `acceptConnections()`. */
  refuseConnections(): Promise<void>;
  /** Listens again, on the same port. */
  acceptConnections(): Promise<void>;
  /** The time by the emulator's clock. */
  now(): Date;
  /** Puts the emulator's clock forward. */
  advance(duration: Duration): void;
  /**
   * Back to the state it started with: domains, channels, requests, faults, clock and ids. Ends what a fault keeps
   * waiting; where connections are refused, `await acceptConnections()` waits until they no longer are.
   */
  reset(): void;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
  /** As `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
