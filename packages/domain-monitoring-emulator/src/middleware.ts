/**
 * The steps that a request passes before its work: the log, rate limit, token, fault, then domain
 * and channel, in this order.
 */
import { unescape as decode } from "node:querystring";
import type { MiddlewareHandler } from "hono";
import type { EmulatorEnv } from "./context";
import { applyFault, type HeldRequests } from "./effects";
import type { Faults } from "./faults";
import type { ResolvedOptions } from "./options";
import { type Clock, SECOND } from "./sources";
import type { Store } from "./store";
import type { EmulatorOperation, LoggedRequest, RateLimit } from "./types";

/** The parts that the application works with. */
export interface AppParts {
  options: ResolvedOptions;
  store: Store;
  clock: Clock;
  limiter: ReturnType<typeof rateLimiter> | undefined;
  held: HeldRequests;
  faults: Faults;
  requests: LoggedRequest[];
}

export function middlewareOf(
  name: EmulatorOperation,
  parts: AppParts,
): MiddlewareHandler<EmulatorEnv>[] {
  const { limiter, options, faults, held, store } = parts;

  return [
    async (c, next) => {
      c.set("operation", name);
      return next();
    },
    ...(limiter ? [limiter.middleware] : []),
    authenticate(options.token),
    async (c, next) => {
      const fault = faults.take(name);
      return fault === undefined ? next() : applyFault(fault, c, next, held);
    },
    findNamed(name, store),
  ];
}

export function authenticate(token: string): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    if (c.req.header("Authorization") === `Bearer ${token}`) return next();
    return c.json({ message: "The bearer token is missing or wrong." }, 401, {
      "WWW-Authenticate": "Bearer",
    });
  };
}

/**
 * Finds what the path names. Change lists are also found under the domain's integer: interface.md,
 * section 4.2, lists both.
 */
function findNamed(operation: EmulatorOperation, store: Store): MiddlewareHandler<EmulatorEnv> {
  const isChanges = operation === "listWhoisChanges" || operation === "listDnsChanges";

  return async (c, next) => {
    const named: Partial<Record<string, string>> = c.req.param();
    const { id, domain_id: domainId = id, channel_id: channelId } = named;
    if (domainId === undefined) return next();

    const domain =
      store.domain(domainId) ?? (isChanges ? store.domainByNumber(domainId) : undefined);

    if (domain === undefined) return c.json({ message: "There is no such domain." }, 404);

    c.set("domain", domain);
    if (channelId === undefined) return next();

    const channel = store.channel(domain.id, channelId);
    if (channel === undefined) return c.json({ message: "There is no such channel." }, 404);

    c.set("channel", channel);

    return next();
  };
}

/** Logs each request when its response is sent or given up. */
export function logRequest({
  requests,
  store,
  options: { token },
}: AppParts): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    await next();
    if (c.get("isAbandoned")) return;

    const path = c.env.incoming.url ?? c.req.path;
    // An ordinary address holds no destination, and searching it for thousands of them would slow
    // every request.
    const named = path.includes("/notification-channels/") ? c.get("channel") : c.get("domain");
    const isOrdinary = named !== undefined && /^[^?]*(?:\?(?:(?:per_)?page=\d*&?)*)?$/.test(path);

    requests.push({
      method: c.req.method,
      path: holds(path, isOrdinary ? [token] : [token, ...store.destinations]) ? "/[secret]" : path,
      operation: c.get("operation") ?? null,
      status: c.get("sentStatus") ?? c.res.status,
    });
  };
}

/**
 * Whether an address holds a secret, in whatever encoding. A short one counts as a whole part: it
 * would match by chance elsewhere.
 */
function holds(path: string, secrets: readonly string[]): boolean {
  const plain = decode(path);
  const parts = plain.split(/[/?&=]/);

  return secrets.some((secret) =>
    secret.length < 8 ? parts.includes(secret) : plain.includes(secret),
  );
}

/**
 * Counts requests by window. Windows begin at multiples of their length, by the emulator's clock.
 */
export function rateLimiter({ requests, perSeconds }: RateLimit, clock: Clock) {
  let current = Number.NaN;
  let left = 0;

  /** Responds with 429 to a request above the limit, which does not count. */
  const middleware: MiddlewareHandler<EmulatorEnv> = async (c, next) => {
    const seconds = clock.now().getTime() / SECOND;
    const window = Math.floor(seconds / perSeconds);

    if (window !== current) left = requests;
    current = window;
    const allowed = left > 0;

    if (allowed) left -= 1;
    const resetAt = (window + 1) * perSeconds;
    // On the Node.js response: faults may replace Hono's.
    const { outgoing } = c.env;

    outgoing.setHeader("X-RateLimit-Limit", requests);
    outgoing.setHeader("X-RateLimit-Remaining", left);
    outgoing.setHeader("X-RateLimit-Reset", resetAt);
    if (allowed) return next();

    const retryAfter = String(Math.ceil(resetAt - seconds));

    return c.json({ message: "Too many requests." }, 429, { "Retry-After": retryAfter });
  };

  return {
    middleware,
    reset() {
      current = Number.NaN;
    },
  };
}
