/** The connections that a client keeps: one long-lived undici dispatcher. Loading this module loads undici. */
// By its file: for the bare name Bun has a module of its own, whose agents cannot dispatch.
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici/index.js";
import { isLoopback } from "../options";
import { errorCode } from "./redact";
import { FROM_PROXY } from "./unreached";

/** TCP and TLS handshake together; below the bound of an attempt, so that what is not reachable is called so. */
export const CONNECT_TIMEOUT_MS = 5_000;
const MAXIMUM_HEADER_BYTES = 32 * 1024;

/**
 * Proxy variables (`HTTPS_PROXY`, `NO_PROXY` …) are honoured, but for this machine: a proxy could not reach it, and the
 * token would go out in clear. HTTP/2 is off, as undici's size limit does not hold there and its later versions differ.
 * undici's own headers and body timeouts are off: they are coarse, and the call's deadline covers both.
 */
export function createDispatcher(origin: string): Dispatcher {
  const options = {
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    maxHeaderSize: MAXIMUM_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return isLoopback(new URL(origin).hostname)
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...options, clientFactory: (proxy, given) => new ProxyPool(proxy, given) });
}

/**
 * Connections to a proxy. Their errors are marked, as a code alone does not tell a proxy from the service. Where the proxy
 * hangs up instead of answering CONNECT, undici takes that for a connection lost while idle and connects again at once and
 * for ever, also after the call has ended. With another code it fails the request.
 */
class ProxyPool extends Pool {
  // undici's proxy agent awaits the promise; nobody calls the form with a callback.
  override connect = ((options: Parameters<Pool["connect"]>[0]) =>
    super.connect(options).catch((error: unknown) => {
      const closed = errorCode(error) === "UND_ERR_SOCKET";
      const code = closed ? "ERR_PROXY_CLOSED" : errorCode(error);
      const message = closed ? "the proxy closed the connection" : describe(error);
      throw Object.assign(new Error(message), { code, [FROM_PROXY]: true });
    })) as Pool["connect"];
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
