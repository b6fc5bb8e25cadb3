/** Findings about domains: one type and one vocabulary for programs, commands and every format. */
import { type ExpiryOverride, exceptionWords, isInEffect, type Verdict } from "./expiry-rule";

/** The subjects that an exception in the rules can accept. */
export const SUBJECTS = ["registration", "certificate", "whois", "dns", "ssl", "channels"] as const;

/** One of {@link SUBJECTS}. */
export type Subject = (typeof SUBJECTS)[number];

/**
 * Kinds of trouble, the most urgent first. `domain`: it is missing, or could not be read; `changes`:
 * they could not be read; `exception`: it has ended.
 */
export const KINDS = [
  "domain",
  "registrar",
  "registration",
  "certificate",
  "component",
  "channel",
  "changes",
  "exception",
] as const;

/** One of {@link KINDS}. */
export type Kind = (typeof KINDS)[number];

/**
 * Something about a domain that a rule does not allow, that comes close to it, or that could not be
 * determined.
 */
export interface Finding {
  /** Kind of trouble, by which findings are ordered. */
  kind: Kind;

  /**
   * Subject of an exception that would accept it; `domain`, `registrar` and `issuer` cannot be
   * accepted.
   */
  about: Subject | "domain" | "registrar" | "issuer";

  /** The trouble within its kind, such as `expiring`. */
  state: string;

  /** `warn`: near its bound, or accepted by an exception. */
  verdict: Exclude<Verdict, "pass">;

  /**
   * Within a kind, lower comes first: days left, 99999 if the date is not known, 0 for what has no
   * date.
   */
  urgency: number;

  /** The trouble and its fix, in one line without the domain's name. */
  text: string;

  /** Id of the channel that it is about; null if it is about none. */
  channelId: string | null;
}

type Given = Pick<Finding, "kind" | "about" | "state" | "text">;

/** A finding; a violation unless it says otherwise. */
export function finding(given: Given & Partial<Finding>): Finding {
  return {
    verdict: "fail",
    urgency: 0,
    channelId: null,
    ...given,
  };
}

/** An exception in the rules. */
export interface Exception extends ExpiryOverride {
  about: Subject;
}

/**
 * Makes violations warnings where an exception names them. An exception that has ended is a finding
 * itself.
 */
export function withExceptions(
  findings: readonly Finding[],
  exceptions: readonly Exception[],
  now: Date,
): Finding[] {
  const current = exceptions.filter((exception) => isInEffect(exception, now));
  const ended = exceptions.filter((exception) => !isInEffect(exception, now));
  const judged = findings.map((found): Finding => {
    const exception = current.find(({ about }) => about === found.about);
    if (found.verdict !== "fail" || !exception) return found;

    return { ...found, verdict: "warn", text: found.text + exceptionWords(exception, now) };
  });

  return [...judged, ...ended.map(endedFinding)];
}

function endedFinding({ about, until, reason }: Exception): Finding {
  const text = `its exception about ${about} ended on ${until} (${reason}): remove it, or give it a later date`;

  return finding({ kind: "exception", about, state: "ended", verdict: "warn", text });
}
