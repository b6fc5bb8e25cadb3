/** The log of requests. Secrets in their addresses, where they may end up by mistake, are redacted. */
import type { MiddlewareHandler } from "hono";
import type { AppParts, EmulatorEnv } from "./middleware";

/** An address whose query holds nothing but page numbers. */
const PAGES_ONLY = /^[^?]*(?:\?(?:(?:per_)?page=\d*&?)*)?$/;

/** Logs each request when its answer is sent or given up. */
export function logRequest({ log, store, options: { token } }: AppParts): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    await next();
    const path = c.env.incoming.url ?? c.req.path;
    // An ordinary address holds no destination, and searching it for thousands of them would slow every request.
    const named = path.includes("/notification-channels/") ? c.get("channel") : c.get("domain");
    const isOrdinary = named !== undefined && PAGES_ONLY.test(path);
    log({
      method: c.req.method,
      path: redact(path, isOrdinary ? [token] : [token, ...store.destinations]),
      operation: c.get("operation") ?? null,
      status: c.get("sentStatus") ?? c.res.status,
    });
  };
}

const REDACTED = "[secret]";
/** A shorter secret is only redacted as a whole part of an address: it would match by chance elsewhere. */
const LONG_SECRET = 8;

/** The path and query without the secrets, also where they are percent-encoded. */
function redact(path: string, secrets: readonly string[]): string {
  let shown = path;
  for (const secret of secrets) {
    if (secret.length < LONG_SECRET) {
      shown = shown.replace(/[^/?&=]+/g, (part) => (decode(part) === secret ? REDACTED : part));
    } else {
      shown = shown.replaceAll(secret, REDACTED).replaceAll(encode(secret), REDACTED);
      // Encoded in some other way, of which there are many: nothing of it is shown.
      if (decode(shown).includes(secret)) shown = `/${REDACTED}`;
    }
  }
  return shown;
}

/** A lone surrogate cannot be percent-encoded, so no address can hold it. */
function encode(secret: string): string {
  return /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // The rest is not valid UTF-8, so only escapes of ASCII are decoded.
    return text.replace(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}
