/** The connections that a client keeps: one long-lived undici dispatcher. Loading this module loads undici. */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { isLoopback } from "./options";

const CONNECT_TIMEOUT_MS = 10_000;
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
  return isLoopback(new URL(origin).hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
}
