/** Exceptions in the rules: what they accept, and that they have ended. Pure. */
import { type ExpiryOverride, exceptionWords, isInEffect } from "./expiry-rule";
import { isField } from "./fields";
import { type Finding, finding, type Subject } from "./finding";

/** An exception in the rules. */
export interface Exception extends ExpiryOverride {
  about: Subject;

  /** The fields that an exception about changes accepts, and no others. */
  fields?: readonly string[];
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
  const ended = exceptions.filter((exception) => !isInEffect(exception, now));
  const judged = findings.map((found): Finding => {
    const exception = exceptionOf(found, exceptions, now);
    if (found.verdict !== "fail" || !exception) return found;

    return { ...found, verdict: "warn", text: found.text + exceptionWords(exception, now) };
  });

  return [...judged, ...ended.map(endedFinding)];
}

/** The exception that accepts a finding now. */
export function exceptionOf(
  { about, field }: Finding,
  exceptions: readonly Exception[],
  now: Date,
): Exception | undefined {
  return exceptions.find((exception) => {
    const isOfField =
      about !== "changes" || exception.fields?.some((name) => isField(name, field ?? ""));

    return exception.about === about && isOfField && isInEffect(exception, now);
  });
}

function endedFinding({ about, fields, until, reason }: Exception): Finding {
  const subject = fields ? `${about} of ${fields.join(", ")}` : about;
  const text = `its exception about ${subject} ended on ${until} (${reason}): remove it, or give it a later date`;

  return finding({ kind: "exception", about, state: "ended", verdict: "warn", text });
}
