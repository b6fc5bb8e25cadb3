/** The client's connections: one long-lived undici dispatcher. Loading this module loads undici. */
// By file: Bun replaces the bare name with its own module, whose agents cannot dispatch.
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici/index.js";
import { errorCode, messageOf } from "../../common/text";
import { isLoopback } from "../options";
import { FROM_PROXY } from "./unreached";

/**
 * For TCP and TLS together. Shorter than an attempt, so that an unreachable host is reported as
 * such.
 */
export const CONNECT_TIMEOUT_MS = 5_000;
/**
 * For one address of a host that has several; Node's own 250 ms fail a host that responds slowly if
 * its other addresses, such as IPv6 ones, do not respond. Longer than a second, after which a lost
 * packet of the handshake is sent again.
 */
const ADDRESS_TIMEOUT_MS = 1_500;
const MAXIMUM_HEADER_BYTES = 32 * 1024;

/**
 * The proxy variables and `NO_PROXY` are honoured except for loopback hosts, which a proxy could
 * not reach and where the token would be sent in clear. HTTP/2 is off, because undici's size limit
 * does not apply there and its versions differ. undici's own headers and body timeouts are off:
 * they are coarse, and the call's deadline covers both.
 */
export function createDispatcher(origin: string): Dispatcher {
  const connect = {
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  };

  const options = {
    allowH2: false,
    connect,
    maxHeaderSize: MAXIMUM_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  };

  if (isLoopback(new URL(origin).hostname)) return new Agent(options);

  const proxy = proxyAddress();
  const clientFactory = (address: URL) => new ProxyPool(address, { connect });

  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxy,
    httpsProxy: proxy,
    clientFactory,
  });
}

/** By precedence; the service's address is https, because it is not on this machine. */
const PROXY_VARIABLES = [
  "https_proxy",
  "HTTPS_PROXY",
  "http_proxy",
  "HTTP_PROXY",
  "all_proxy",
  "ALL_PROXY",
];

/** Empty for no proxy. An address without a scheme means an HTTP proxy, as for curl. */
function proxyAddress(): string {
  const variable = PROXY_VARIABLES.find((name) => process.env[name]) ?? "";
  const given = process.env[variable] ?? "";
  if (given !== "" && !given.includes("://")) return `http://${given}`;

  // undici leaves host names to a SOCKS5 proxy in any case.
  return given.replace(/^socks5h:/i, "socks5:");
}

/**
 * Connections to a proxy. Their errors are marked, because a code alone does not show whether the
 * proxy or the service failed. If the proxy closes the connection instead of responding to CONNECT,
 * undici reconnects forever, even after the call has ended; with another error code it fails the
 * request.
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
