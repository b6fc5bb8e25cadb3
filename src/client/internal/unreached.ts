/** Explains why a connection failed, and what to do about it. */
import { errorCode } from "../../common/errors";

export const FROM_PROXY = Symbol("from the proxy");

export class UndiciNotLoaded extends Error {
  /** @param version undefined if it is not installed */
  constructor(version: string | undefined, cause: unknown) {
    const installed = version === undefined ? "undici" : `undici ${version}`;
    super(`${installed} does not load on Node ${process.versions.node}`, { cause });
  }
}

const CERTIFICATE = /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Errors of certificates, addresses, arguments and the installation, which a retry cannot fix. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof UndiciNotLoaded) return true;
  const code = errorCode(error) ?? "";
  return CERTIFICATE.test(code) || /^(ERR_INVALID_URL|UND_ERR_(INVALID_ARG|CLOSED|DESTROYED))/.test(code);
}

/** Cause and fix by what failed: DNS, TCP, TLS, the proxy, or undici's own checks. */
export function connectionAdvice(error: unknown): string {
  if (error instanceof UndiciNotLoaded)
    return "see with `npm ls undici` what asks for that version, and install one that supports this Node";
  const code = errorCode(error) ?? "";
  const said = error instanceof Error ? error.message : "";
  if ((typeof error === "object" && error !== null && FROM_PROXY in error) || /^Proxy response/.test(said)) {
    return "the proxy could not connect to it: check HTTPS_PROXY, HTTP_PROXY and NO_PROXY";
  }
  return (
    UNREACHED.find(([pattern]) => pattern.test(code))?.[1] ??
    "check the base address, the network and the proxy settings"
  );
}

const UNREACHED: [RegExp, string][] = [
  [/^(ENOTFOUND|EAI_)/, "its host name was not resolved: check the base address and this machine's DNS"],
  [/^ECONNREFUSED$/, "nothing listens there: check the host and port of the base address"],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    "no TCP or TLS connection in time: check the base address, firewalls and the proxy settings",
  ],
  [/^(EHOST|ENET)/, "there is no route to it: check the network and the proxy settings"],
  [
    CERTIFICATE,
    "its TLS certificate was not accepted: check the base address, and name a certificate authority of your own in NODE_EXTRA_CA_CERTS",
  ],
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, "the TLS handshake failed: check the scheme and port of the base address"],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    "the connection was closed before the request: check the base address",
  ],
  [
    /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|INVALID_RETURN_VALUE)$/,
    "undici rejected the request, perhaps because two versions of it are installed: check with npm ls undici",
  ],
];
