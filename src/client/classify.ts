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

/** What a body that is no JSON seems to be, without showing it. */
export function kindOfBody(answer: Extract<AttemptResult, { type: "answer" }>): string {
  if (answer.body === "") return "an empty body";
  const type = answer.headers["content-type"];
  return typeof type === "string" && /html/i.test(type) ? "an HTML page" : "text";
}

/** The paths and expectations of a ZodError, which hold no values. */
export function shapeProblem(error: unknown): Error {
  const issues =
    error instanceof Error && "issues" in error && Array.isArray(error.issues) ? error.issues : [];
  const lines = issues.slice(0, 5).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  return new Error(lines.join("; ") || "the answer could not be read");
}
