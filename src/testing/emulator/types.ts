/**
 * The local service: a real HTTP server on loopback that implements the whole interface, for tests, examples and demos.
 * It is not a model of the service's inner workings: it does what interface.md says, and what that leaves open is
 * settled here by the plainest choice.
 */

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
}

/** A domain to serve; what is left out takes the values of a healthy, checked domain. */
export interface DomainSeed {
  /** @default a random UUID */
  id?: string;
  /** Domain name. @default `example-N.com` */
  domain?: string;
  label?: string;
  description?: string | null;
  provider?: string | null;
  /** `DATE`, or null as before the first WHOIS check. @default a year from now */
  expiresAt?: string | null;
  /** Whether the first checks have run. Without them nullable fields are null. @default true */
  checked?: boolean;
  whoisChanges?: ChangeSeed[];
  dnsChanges?: ChangeSeed[];
}

/** A change to serve. */
export interface ChangeSeed {
  /** @default a random UUID */
  id?: string;
  /** @default `registrar` for WHOIS, `a_records` for DNS */
  fieldChanged?: string;
  /** A list is served as JSON in a string, as the interface says. */
  oldValue?: unknown;
  newValue?: unknown;
  /** `SQL-TS`. @default now */
  createdAt?: string;
}

/** A request that the emulator answered, without its headers and without destinations. */
export interface LoggedRequest {
  method: string;
  /** Path with query, as asked for. */
  path: string;
  /** Null where no operation of the interface matched. */
  operation: OperationName | null;
  /** Status that was sent; 0 where a fault broke the connection before there was one. */
  status: number;
}

/** A channel that exists in the emulator. Destinations are kept so that tests can look for them elsewhere. */
export interface EmulatedChannel {
  id: string;
  domainId: string;
  label: string;
  type: string;
  value: string | null;
  secondaryValue: string | null;
  whoisNotificationsEnabled: boolean;
  dnsNotificationsEnabled: boolean;
  sslNotificationsEnabled: boolean;
  createdAt: string;
}

/** What to do wrong, to which requests and how often. */
export interface FaultRule {
  /** @default every operation */
  operation?: OperationName;
  /** How many matching requests it hits; then it is used up. @default 1 */
  times?: number;
  /** Matching requests to let pass first. @default 0 */
  after?: number;
  /** Answer with this status instead of doing the work. */
  status?: number;
  /** Headers of that answer. */
  headers?: Record<string, string>;
  /** Body of that answer; a string is sent as `text/html`. @default `{ "message": … }` */
  body?: unknown;
  /** Break the connection: before the work is done, after it is done but before answering, or amid the answer's body. */
  reset?: "before" | "after" | "body";
}

/** A running local service. */
export interface Emulator {
  /** Base address, such as `http://127.0.0.1:43210`. */
  readonly url: string;
  /** The bearer token that it accepts. */
  readonly token: string;
  /** What was asked for, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** The channels of one domain, or of all, oldest first: how many exist is the truth that tests count. */
  channels(domainId?: string): EmulatedChannel[];
  /** Adds a domain and returns its id. */
  addDomain(domain?: DomainSeed): string;
  /** Adds a change to a domain, as the newest one. */
  addChange(domainId: string, kind: "whois" | "dns", change?: ChangeSeed): void;
  /** Makes coming requests fail as the rule says. */
  fault(rule: FaultRule): void;
  /** Back to the state it started with: domains, channels, requests and faults. */
  reset(): void;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
