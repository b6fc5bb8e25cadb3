/** The client's connections: one long-lived undici dispatcher. Loading this module loads undici. */
// By file: Bun replaces the bare name with its own module, whose agents cannot dispatch.
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici/index.js";
import { errorCode, messageOf } from "../../common/errors";
import { isLoopback } from "../options";
import { FROM_PROXY } from "./unreached";

/** For TCP and TLS together. Shorter than an attempt, so that an unreachable host is reported as such. */
export const CONNECT_TIMEOUT_MS = 5_000;
const MAXIMUM_HEADER_BYTES = 32 * 1024;

/**
 * Proxy variables (`HTTPS_PROXY`, `NO_PROXY` …) are honoured except for loopback hosts, which a proxy could not reach and
 * where the token would be sent in clear. HTTP/2 is off, as undici's size limit does not apply there and its versions
 * differ. undici's own headers and body timeouts are off: they are coarse, and the call's deadline covers both.
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
 * Connections to a proxy. Their errors are marked, as a code alone does not say whether the proxy or the service failed.
 * If the proxy closes the connection instead of answering CONNECT, undici reconnects forever, even after the call has
 * ended; with another error code it fails the request.
 */
class ProxyPool extends Pool {
  // undici's proxy agent uses the promise form only.
  override connect = ((options: Parameters<Pool["connect"]>[0]) =>
    super.connect(options).catch((error: unknown) => {
      const closed = errorCode(error) === "UND_ERR_SOCKET";
      const code = closed ? "ERR_PROXY_CLOSED" : errorCode(error);
      const message = closed ? "the proxy closed the connection" : messageOf(error);
      throw Object.assign(new Error(message), { code, [FROM_PROXY]: true });
    })) as Pool["connect"];
}
