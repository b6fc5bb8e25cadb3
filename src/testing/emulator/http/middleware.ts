/** The middleware that a request passes before its work: rate limit, token, fault and domain, in this order. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import type { Store } from "../data/store";
import type { StoredDomain } from "../data/stored";
import { type Clock, SECOND } from "../data/time";
import { applyFault, type HeldRequests } from "../faults/effects";
import type { EmulatedChannel, EmulatorOperation, FaultRule, LoggedRequest, RateLimit } from "../types";

/** Hono's environment of the emulator's application. */
export interface EmulatorEnv {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse };
  Variables: {
    /** Absent where no operation matched. */
    operation?: EmulatorOperation;
    /** The domain that the path names; set before the work, and absent where there is no such domain. */
    domain: StoredDomain;
    /** The channel that the path names; set before the work, and absent where the domain has no such channel. */
    channel: EmulatedChannel;
    /** Set where a fault has answered without Hono; 0 where nothing was sent. */
    sentStatus?: number;
  };
}

/** The parts that the middleware works with. */
export interface MiddlewareParts {
  token: string;
  store: Store;
  clock: Clock;
  limiter: RateLimiter | undefined;
  held: HeldRequests;
  /** Counts a request of this operation and returns the fault that hits it. */
  takeFault(operation: EmulatorOperation): FaultRule | undefined;
  log(request: LoggedRequest): void;
}

/** The middleware of one operation. */
export function middlewareOf(
  name: EmulatorOperation,
  parts: MiddlewareParts,
  ...more: ((store: Store) => MiddlewareHandler<EmulatorEnv>)[]
): MiddlewareHandler<EmulatorEnv>[] {
  return [
    nameOperation(name),
    limitRate(parts),
    authenticate(parts.token),
    injectFault(name, parts),
    ...(name === "listDomains" ? [] : [findDomain(parts.store, name)]),
    ...more.map((each) => each(parts.store)),
  ];
}

/** Answers 401 to requests without the token. */
export function authenticate(token: string): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    if (c.req.header("Authorization") === `Bearer ${token}`) return next();
    return c.json({ message: "The bearer token is missing or wrong." }, 401, {
      "WWW-Authenticate": "Bearer",
    });
  };
}

/** Answers 405 to a method that the address does not have. */
export function refuseMethod(...allowed: string[]): MiddlewareHandler<EmulatorEnv> {
  const names = allowed.join(", ");
  return async (c) =>
    c.json({ message: `The method is not supported: use ${names}.` }, 405, { Allow: names });
}

function nameOperation(operation: EmulatorOperation): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    c.set("operation", operation);
    return next();
  };
}

function limitRate({ limiter, clock }: MiddlewareParts): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    if (limiter === undefined) return next();
    const { allowed, limit, remaining, retryAfter, resetAt } = limiter.take(clock.now());
    // On the Node.js response: faults may replace Hono's.
    const { outgoing } = c.env;
    outgoing.setHeader("X-RateLimit-Limit", limit);
    outgoing.setHeader("X-RateLimit-Remaining", remaining);
    outgoing.setHeader("X-RateLimit-Reset", resetAt);
    if (allowed) return next();
    return c.json({ message: "Too many requests." }, 429, { "Retry-After": String(retryAfter) });
  };
}

function injectFault(operation: EmulatorOperation, parts: MiddlewareParts): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    const fault = parts.takeFault(operation);
    return fault === undefined ? next() : applyFault(fault, c, next, parts.held);
  };
}

/** Change lists are also found under the domain's integer: interface.md, section 4.2, lists the parameter as both. */
function findDomain(store: Store, operation: EmulatorOperation): MiddlewareHandler<EmulatorEnv> {
  const isList = operation === "listWhoisChanges" || operation === "listDnsChanges";
  return async (c, next) => {
    const id = domainIn(c);
    const domain = store.domain(id) ?? (isList ? store.domainByNumber(id) : undefined);
    if (domain === undefined) return c.json({ message: "There is no such domain." }, 404);
    c.set("domain", domain);
    return next();
  };
}

/** For `middlewareOf`, where the path names a channel. */
export function findChannel(store: Store): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    const channel = store.channel(c.get("domain").id, c.req.param("channel_id") ?? "");
    if (channel === undefined) return c.json({ message: "There is no such channel." }, 404);
    c.set("channel", channel);
    return next();
  };
}

function domainIn(c: Context<EmulatorEnv>): string {
  return c.req.param("id") ?? c.req.param("domain_id") ?? "";
}

/** The limit's decision on one request. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Whole seconds until the next window. */
  readonly retryAfter: number;
  /** Begin of the next window, in seconds since 1970. */
  readonly resetAt: number;
}

/** Counts requests by window. Windows begin at multiples of their length, by the emulator's clock. */
export class RateLimiter {
  readonly #limit: RateLimit;
  #window = Number.NaN;
  #taken = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Counts a request, unless it is above the limit. */
  take(now: Date): Allowance {
    const { requests, perSeconds } = this.#limit;
    const seconds = now.getTime() / SECOND;
    const window = Math.floor(seconds / perSeconds);
    if (window !== this.#window) {
      this.#window = window;
      this.#taken = 0;
    }
    const allowed = this.#taken < requests;
    if (allowed) this.#taken += 1;
    const resetAt = (window + 1) * perSeconds;
    return {
      allowed,
      limit: requests,
      remaining: requests - this.#taken,
      retryAfter: Math.ceil(resetAt - seconds),
      resetAt,
    };
  }

  reset(): void {
    this.#window = Number.NaN;
  }
}
