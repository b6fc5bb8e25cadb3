/** Explains why a connection failed, and what to do about it. */
import { errorCode, messageOf } from "../../common/text";

export const FROM_PROXY = Symbol("from the proxy");

export class UndiciNotLoaded extends Error {
  /** @param version undefined if it is not installed */
  constructor(version: string | undefined, cause: unknown) {
    const installed = version === undefined ? "undici" : `undici ${version}`;
    super(`${installed} does not load on Node ${process.versions.node}`, { cause });
  }
}

/** The proxy's response to CONNECT without valid credentials. */
const UNAUTHENTICATED = /^Proxy response \(407\)/;

const CERTIFICATE_ERROR = /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Errors of certificates, addresses, arguments and the installation, which a retry cannot fix. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof UndiciNotLoaded || UNAUTHENTICATED.test(messageOf(error))) return true;
  const code = errorCode(error) ?? "";

  return (
    CERTIFICATE_ERROR.test(code) ||
    /^(ERR_INVALID_URL|UND_ERR_(INVALID_ARG|CLOSED|DESTROYED))/.test(code)
  );
}

/** Cause and fix by what failed: DNS, TCP, TLS, the proxy, or undici's own checks. */
export function connectionAdvice(error: unknown): string {
  if (error instanceof UndiciNotLoaded)
    return "see with `npm ls undici` what asks for that version, and install one that supports this Node";

  const code = errorCode(error) ?? "";
  const message = messageOf(error);
  if (UNAUTHENTICATED.test(message))
    return "the proxy asks for authentication (407), so give user name and password in its address: http://USER:PASSWORD@HOST:PORT";

  const isMarked = typeof error === "object" && error !== null && FROM_PROXY in error;
  if (isMarked || /^Proxy response/.test(message) || /^UND_ERR_SOCKS5/.test(code))
    return "the proxy could not connect to it: check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY";

  return (
    UNREACHED.find(([pattern]) => pattern.test(code))?.[1] ??
    "check the base address, the network and the proxy settings"
  );
}

const UNREACHED: [RegExp, string][] = [
  [
    /^ERR_INVALID_URL$/,
    "the address of the proxy is not valid: correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY to one such as http://proxy.example.com:3128",
  ],
  [
    /^(ENOTFOUND|EAI_)/,
    "its host name was not resolved: check the base address and this machine's DNS",
  ],
  [
    /^ECONNREFUSED$/,
    "nothing listens there: check the host and port of the base address, and the proxy settings",
  ],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    "no TCP or TLS connection in time: check the base address, firewalls and the proxy settings",
  ],
  [/^(EHOST|ENET)/, "there is no route to it: check the network and the proxy settings"],
  [
    CERTIFICATE_ERROR,
    "its TLS certificate was not accepted: check the base address, and name a certificate authority of your own in NODE_EXTRA_CA_CERTS",
  ],
  [
    /^(ERR_TLS|ERR_SSL|EPROTO)/,
    "the TLS handshake failed: check the scheme and port of the base address",
  ],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    "the connection was closed before the request: check the base address",
  ],
  [
    /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|INVALID_RETURN_VALUE)$/,
    "undici does not accept the request: give a dispatcher of undici 7 or newer (`npm ls undici`), and a proxy with http://, https:// or socks5://",
  ],
];
