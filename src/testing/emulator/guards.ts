/** What a request passes before its work: log, rate limit, token, fault and domain, in this order. */
import type { Context, MiddlewareHandler } from "hono";
import { blackOut } from "./blackout";
import { applyFault, type BreakageParts } from "./breakage";
import type { Clock } from "./clock";
import type { Store } from "./data";
import type { EmulatorEnv } from "./env";
import { addExtraFields } from "./extra-fields";
import type { FaultRule } from "./fault-types";
import type { RateLimiter } from "./rate-limit";
import type { LoggedRequest, OperationName } from "./types";

/** What the guards work with. */
export interface GuardParts extends BreakageParts {
  token: string;
  store: Store;
  clock: Clock;
  limiter: RateLimiter | undefined;
  extraFields: Record<string, unknown> | undefined;
  /** The fault that hits a request of this operation, which thereby is counted. */
  takeFault(operation: OperationName): FaultRule | undefined;
  log(request: LoggedRequest): void;
}

/** The guards of one operation. */
export function guardsOf(name: OperationName, parts: GuardParts): MiddlewareHandler<EmulatorEnv>[] {
  return [
    nameOperation(name),
    limitRate(parts),
    authenticate(parts.token),
    injectFault(name, parts),
    findDomain(parts.store, name),
    addExtraFields(parts.extraFields),
  ];
}

/** A query that can hold nothing but page numbers. */
const PAGES_ONLY = /^[^?]*(?:\?(?:(?:per_)?page=\d*&?)*)?$/;

/** Logs each request once it is answered, or as good as answered. */
export function logRequest({ log, store, token }: GuardParts): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    await next();
    const path = c.env.incoming.url ?? c.req.path;
    // The address of a domain that exists is no destination. To look for thousands of them would slow every request.
    const isOrdinary = c.get("domain") !== undefined && PAGES_ONLY.test(path);
    log({
      method: c.req.method,
      path: blackOut(path, isOrdinary ? [token] : [token, ...store.destinations()]),
      operation: c.get("operation") ?? null,
      status: c.get("sentStatus") ?? c.res.status,
    });
  };
}

/** Lets those in who have the token. */
export function authenticate(token: string): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    if (c.req.header("Authorization") === `Bearer ${token}`) return next();
    return c.json({ message: "The bearer token is missing or wrong." }, 401, {
      "WWW-Authenticate": "Bearer",
    });
  };
}

/** Answers a method that the address does not have. */
export function refuseMethod(...allowed: string[]): MiddlewareHandler<EmulatorEnv> {
  const names = allowed.join(", ");
  return async (c) =>
    c.json({ message: `This address has no such method, but ${names}.` }, 405, { Allow: names });
}

function nameOperation(operation: OperationName): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    c.set("operation", operation);
    return next();
  };
}

function limitRate({ limiter, clock }: GuardParts): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    if (limiter === undefined) return next();
    const { allowed, limit, remaining, retryAfter, resetAt } = limiter.take(clock.now());
    // On the answer itself, and not on Hono's: whatever becomes of that one, these stay.
    const { outgoing } = c.env;
    outgoing.setHeader("X-RateLimit-Limit", limit);
    outgoing.setHeader("X-RateLimit-Remaining", remaining);
    outgoing.setHeader("X-RateLimit-Reset", resetAt);
    if (allowed) return next();
    return c.json({ message: "Too many requests." }, 429, { "Retry-After": String(retryAfter) });
  };
}

function injectFault(operation: OperationName, parts: GuardParts): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    const fault = parts.takeFault(operation);
    return fault === undefined ? next() : applyFault(fault, c, next, parts);
  };
}

/** Change lists are also found under the domain's integer: interface.md, section 4.2, lists the parameter as both. */
function findDomain(store: Store, operation: OperationName): MiddlewareHandler<EmulatorEnv> {
  const isList = operation === "listWhoisChanges" || operation === "listDnsChanges";
  return async (c, next) => {
    const id = domainIn(c);
    const domain = store.domain(id) ?? (isList ? store.domainByNumber(id) : undefined);
    if (domain === undefined) return c.json({ message: "There is no such domain." }, 404);
    c.set("domain", domain);
    return next();
  };
}

function domainIn(c: Context<EmulatorEnv>): string {
  return c.req.param("id") ?? c.req.param("domain_id") ?? "";
}
