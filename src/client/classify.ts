/** What kind of outcome an attempt was: pure, from what undici and zod say of it. */
import type { AttemptResult } from "./attempt";
import { errorCode } from "./redact";
import type { Outcome } from "./retry";

/** The result in the words of the retry decision. */
export function toOutcome(result: Exclude<AttemptResult, { type: "oversized" }>): Outcome {
  if (result.type === "answer") return result;
  const permanent = result.type === "failure" && (isUnreadable(result) || isPermanent(result.error));
  return { type: "failure", sent: result.sent, permanent };
}

/** What an attempt without a whole answer leaves to say. */
export function certainty(sent: "no" | "maybe" | "yes"): "no" | "maybe" {
  return sent === "no" ? "no" : "maybe";
}

/** An answer that came but that no further attempt would make readable. */
export function isUnreadable({ error, sent }: Extract<AttemptResult, { type: "failure" }>): boolean {
  // Before the request was sent, it is a proxy that talks nonsense.
  if (sent === "no") return false;
  // undici's parser error often comes without a code.
  const name = typeof error === "object" && error !== null && "name" in error ? error.name : undefined;
  return name === "HTTPParserError" || errorCode(error) === "UND_ERR_HEADERS_OVERFLOW";
}

/** Certificates, addresses and arguments do not mend themselves. */
function isPermanent(error: unknown): boolean {
  const code = errorCode(error) ?? "";
  return /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_URL|UND_ERR_INVALID_ARG|UND_ERR_CLOSED|UND_ERR_DESTROYED)/.test(
    code,
  );
}

/** Marks an error of the connection to a proxy. */
export const FROM_PROXY = Symbol("from the proxy");

/** Why no request was sent and what to do, by what failed: DNS, TCP, TLS, the proxy, or undici's own checks. */
export function whyUnreached(error: unknown): string {
  const code = errorCode(error) ?? "";
  const said = error instanceof Error ? error.message : "";
  if ((typeof error === "object" && error !== null && FROM_PROXY in error) || /^Proxy response/.test(said)) {
    return "the proxy did not connect it: check HTTPS_PROXY, HTTP_PROXY and NO_PROXY";
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
    /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/,
    "its TLS certificate was not accepted: check the base address, and name a certificate authority of your own in NODE_EXTRA_CA_CERTS",
  ],
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, "the TLS handshake failed: check the scheme and port of the base address"],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    "the connection was closed before the request: check the base address",
  ],
  [
    /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|INVALID_RETURN_VALUE)$/,
    "undici refused the request, as another version of it may do: look for two of them with npm ls undici",
  ],
];

/** What a body that is no JSON seems to be, without showing it. */
export function kindOfBody(answer: Extract<AttemptResult, { type: "answer" }>): string {
  if (answer.body === "") return "an empty body";
  const type = answer.headers["content-type"];
  return typeof type === "string" && /html/i.test(type) ? "an HTML page" : "text";
}

/** Thrown by an operation's `read` for JSON that is not the interface's. Its message names fields and never values. */
export class UnexpectedShape extends Error {
  /** @param foreign whether the answer has none of the fields that it should have */
  constructor(
    message: string,
    readonly foreign: boolean,
  ) {
    super(message);
  }
}
