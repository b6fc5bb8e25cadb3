/**
 * The client's options, checked on construction: a wrong base address or token fails here, not in
 * the first call.
 */
import type { Dispatcher } from "undici";
import { parseUrl, type Warn } from "../common/text";
import { BOUNDS, DEFAULTS } from "../names";
import { DomainMonitoringError, type ErrorKind, type OperationName, type Sent } from "./errors";

/** Options of {@link DomainMonitoringClient}. */
export interface ClientOptions {
  /** Base address, may carry a path prefix: `https:`, or `http:` on a loopback host only. */
  baseUrl: string;

  /** Bearer token of the service's user account (interface.md, section 5). */
  apiToken: string;

  /**
   * Deadline of a whole call in milliseconds: queueing, connecting, retries, body. A create
   * must be sent within this time. Its response may then take as long again, because only the
   * response shows whether the channel exists. @default 30000
   */
  timeoutMs?: number;

  /**
   * Timeout of one attempt in milliseconds, after which a read, an update or a delete is sent
   * again. A create that has been sent is not affected: to stop waiting would only lose the
   * response.
   * @default a twelfth of the call's `timeoutMs`, at least 10000
   */
  attemptTimeoutMs?: number;

  /** Further attempts after the first. @default 3 */
  maxRetries?: number;

  /** Requests in flight, shared by all clients of the same account in this process. @default 8 */
  concurrency?: number;

  /** Largest response that is read, in bytes. @default 10485760 (10 MiB) */
  maxResponseBytes?: number;

  /**
   * Transport to use instead of the client's own; `close()` leaves it open. It must call
   * `onRequestStart` for each request before it writes, and must not repeat a request. Neither can
   * be verified, so a create, an update or a delete without a response is reported as `sent:
   * "maybe"` once the transport has it. @default an undici agent that honours the proxy
   * variables
   */
  dispatcher?: Dispatcher;

  /** Prepended to the package's own User-Agent. @default none */
  userAgent?: string;

  /** Called for each request, response, retry and rate limit. @default none */
  onEvent?: (event: ClientEvent) => void;

  /**
   * Called when the service has set a rate limit, with the time in milliseconds during which no
   * call of this account is sent. Unlike `onEvent`, it costs other calls nothing. @default none
   */
  onRateLimit?: (delayMs: number) => void;
}

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

/** A base address and the token that belongs to it, both checked. */
export interface CheckedAccount {
  /** Scheme, host and port. */
  origin: string;

  /** Path before `/api`, without a slash at its end. */
  pathPrefix: string;
  apiToken: string;
}

/** The options of a client whose account has been checked where it was found. */
export type CheckedOptions = Omit<ClientOptions, "baseUrl" | "apiToken"> & {
  account: CheckedAccount;
};

interface EventBase {
  operation: OperationName;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;

  /** Number of the request within the call, from 1. */
  attempt: number;
}

/** The facts of an event, by `type`. */
export type EventDetails =
  /** A request is about to be made. */
  | { type: "request" }
  /** A response with any status arrived. `date` is its `Date` header: the service's clock. */
  | { type: "response"; status: number; durationMs: number; requestId?: string; date?: string }
  /** No response arrived, or it is too large to read (`sent: "yes"`). */
  | { type: "failure"; code?: string; sent: Sent; durationMs: number }
  /** The request will be repeated after the delay. */
  | { type: "retry"; delayMs: number; status?: number }
  /** The service has set a rate limit: no call of this account is sent during the delay. */
  | { type: "rateLimit"; delayMs: number };

/**
 * One event of a call, discriminated by `type`. Paths exclude the base address; nothing is secret.
 */
export type ClientEvent = EventBase & EventDetails;

export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The options that are whole numbers: default, minimum and maximum. */
const NUMBERS = {
  timeoutMs: [30_000, 1, MAX_TIMER_MS],
  attemptTimeoutMs: [10_000, 1, MAX_TIMER_MS],
  maxRetries: [DEFAULTS.maxRetries, ...BOUNDS.maxRetries],
  concurrency: [DEFAULTS.concurrency, ...BOUNDS.concurrency],
  maxResponseBytes: [10 * 2 ** 20, 1, 2 ** 30],
} as const;

type NumberOption = keyof typeof NUMBERS;

/** Attempts that have as long a time as the default when a call has two minutes. */
const ATTEMPTS_IN_A_CALL = 12;

/** Given options after checking, with every default filled in that does not depend on the call. */
export interface Settings
  extends CheckedAccount,
    Record<Exclude<NumberOption, "attemptTimeoutMs">, number>,
    Pick<
      ClientOptions,
      "attemptTimeoutMs" | "dispatcher" | "userAgent" | "onEvent" | "onRateLimit"
    > {}

export function resolveOptions(options: ClientOptions | CheckedOptions): Settings {
  const { dispatcher, userAgent, onEvent, onRateLimit } = options;
  const account = "account" in options ? options.account : checkedAccount(options);
  const number = (name: NumberOption) =>
    checkedNumber("configuration", name, options[name]) ?? NUMBERS[name][0];

  if (userAgent !== undefined && !/^[\x20-\x7e]*$/.test(userAgent))
    throw new DomainMonitoringError(
      "configuration",
      "userAgent holds a line break or a character outside ASCII: leave it out",
    );

  return {
    ...account,
    timeoutMs: number("timeoutMs"),
    attemptTimeoutMs: checkedNumber("configuration", "attemptTimeoutMs", options.attemptTimeoutMs),
    maxRetries: number("maxRetries"),
    concurrency: number("concurrency"),
    maxResponseBytes: number("maxResponseBytes"),
    dispatcher,
    userAgent,
    onEvent,
    onRateLimit,
  };
}

function checkedAccount({ baseUrl, apiToken }: ClientOptions): CheckedAccount {
  const problem = addressProblem(baseUrl) ?? tokenProblem(apiToken);
  if (problem !== undefined) throw new DomainMonitoringError("configuration", problem);

  return accountOf(baseUrl, apiToken);
}

/** An account of an address and a token that have no problem. */
export function accountOf(baseUrl: string, apiToken: string): CheckedAccount {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, pathPrefix: pathname.replace(/\/+$/, ""), apiToken };
}

/**
 * The problem of a base address; undefined if it can be used. It is not repeated, because it may
 * contain a password.
 */
export function addressProblem(text: unknown): string | undefined {
  const url = typeof text === "string" && /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined)
    return "the base address is not an absolute URL: use one such as https://monitoring.example.com";

  const { username, password, search, hash, protocol, hostname } = url;
  if (username || password || search || hash)
    return "the base address contains a user name, a query or a fragment: use scheme, host and at most a path";

  if (protocol === "http:" && !isLoopback(hostname))
    return "the base address is http: on another host, which would send the token unencrypted: use https:";

  return undefined;
}

/** Whether a host name of a parsed URL is a loopback host. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The problem of a token; undefined if it can be sent. */
export function tokenProblem(token: unknown): string | undefined {
  if (typeof token !== "string" || token === "")
    return "the API token is empty: give the account's API token";

  // Checked here because the error of an invalid header would show the token.
  if (!/^[\x21-\x7e]+$/.test(token))
    return "the API token holds a space, a line break or a character outside ASCII: give the token alone";

  return undefined;
}

/**
 * The options of one call: its own, else the client's. @throws DomainMonitoringError of kind
 * `validation`
 */
export function resolveCallOptions(
  { timeoutMs, maxRetries }: CallOptions,
  settings: Settings,
): Record<"timeoutMs" | "attemptTimeoutMs" | "maxRetries", number> {
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS)) {
    throw new DomainMonitoringError(
      "validation",
      `timeoutMs is not a number above 0 and up to ${MAX_TIMER_MS}: change it or leave it out`,
    );
  }

  const wholeMs = timeoutMs ?? settings.timeoutMs;

  return {
    timeoutMs: wholeMs,
    // Without a share of it, a longer deadline would only repeat attempts that are too short.
    attemptTimeoutMs:
      settings.attemptTimeoutMs ??
      Math.max(NUMBERS.attemptTimeoutMs[0], Math.ceil(wholeMs / ATTEMPTS_IN_A_CALL)),
    maxRetries: checkedNumber("validation", "maxRetries", maxRetries) ?? settings.maxRetries,
  };
}

/** Delay of a rate limit from which users are told of it. */
const NOTICEABLE_MS = 5000;

/** A client's `onRateLimit` that tells once that calls wait. @param say shows a line */
export function rateLimitNotice(say: Warn): (delayMs: number) => void {
  let isSaid = false;

  return (delayMs) => {
    if (isSaid || delayMs < NOTICEABLE_MS) return;

    isSaid = true;
    const seconds = Math.ceil(delayMs / 1000);

    say(
      `the service's rate limit is reached: waiting ${seconds} s. Calls wait as often as their deadline allows (timeoutSeconds)`,
    );
  };
}

function checkedNumber(
  kind: ErrorKind,
  name: NumberOption,
  value: number | undefined,
): number | undefined {
  const [, minimum, maximum] = NUMBERS[name];
  if (value === undefined || (Number.isInteger(value) && value >= minimum && value <= maximum))
    return value;

  throw new DomainMonitoringError(
    kind,
    `${name} is not a whole number from ${minimum} to ${maximum}: change it or leave it out`,
  );
}
