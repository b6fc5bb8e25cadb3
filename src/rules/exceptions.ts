/** Exceptions in the rules: what they accept, and that they have ended. Pure. */
import { type ExpiryOverride, exceptionWords, isInEffect } from "./expiry-rule";
import { type Finding, finding, type Subject } from "./finding";

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
