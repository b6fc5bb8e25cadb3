/** Whether a fault rule can do what it says. A rule that cannot is refused when it is made, not found out by a test. */
import type { BreakingPoint, FaultRule } from "./fault-types";
import { isWhole } from "./whole-number";

const EFFECTS = [
  "status",
  "headers",
  "contentType",
  "garbage",
  "truncate",
  "drip",
  "delayMs",
  "reset",
  "stall",
  "refuseMs",
] as const satisfies (keyof FaultRule)[];

/** What shapes an answer, and so needs that one is sent. */
const ANSWER = ["status", "headers", "contentType", "garbage", "truncate", "drip"] as const;
/** What shapes a body. */
const BODY = ["body", "contentType", "garbage", "truncate", "drip"] as const;
/** How a request can end without its whole answer. */
const ENDINGS = ["reset", "stall", "refuseMs"] as const;

/** Every {@link BreakingPoint}, in the order in which a request reaches them. */
export const BREAKING_POINTS = ["before", "after", "headers", "body"] as const satisfies BreakingPoint[];

const POINTS: readonly string[] = BREAKING_POINTS;

/** Statuses whose answers have no body. */
export const STATUSES_WITHOUT_BODY = [204, 205, 304];

/** The longest wait that a timer of Node.js can hold. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** @throws RangeError that says what to change */
export function checkFault(rule: FaultRule): void {
  checkWhen(rule);
  checkNumbers(rule);
  checkCombination(rule);
}

function checkWhen({ after = 0, times = 1, probability = 1, seed = 0 }: FaultRule): void {
  if (!(after >= 0)) throw new RangeError("a fault's `after` must not be negative");
  if (times !== "always" && !(times >= 1))
    throw new RangeError('a fault\'s `times` must be at least 1, or "always"');
  if (!(probability > 0 && probability <= 1))
    throw new RangeError("a fault's `probability` must be above 0 and up to 1");
  if (!Number.isSafeInteger(seed)) throw new RangeError("a fault's `seed` must be a whole number");
}

function checkNumbers({ status, truncate, drip, delayMs, refuseMs, reset, stall }: FaultRule): void {
  if (status !== undefined && !isWhole(status, 200, 599))
    throw new RangeError("a fault's status must be a whole number from 200 to 599");
  if (truncate !== undefined && !isWhole(truncate, 0))
    throw new RangeError("a fault's `truncate` must be a whole number of bytes");
  if (drip !== undefined && !(isWhole(drip.chunkBytes, 1) && isWhole(drip.everyMs, 1, LONGEST_WAIT)))
    throw new RangeError("a fault's `drip` needs `chunkBytes` and `everyMs`, both whole numbers from 1");
  for (const [name, wait] of Object.entries({ delayMs, refuseMs })) {
    if (wait !== undefined && !isWhole(wait, 1, LONGEST_WAIT))
      throw new RangeError(`a fault's \`${name}\` must be a whole number of milliseconds, from 1`);
  }
  for (const [name, point] of Object.entries({ reset, stall })) {
    if (point !== undefined && !POINTS.includes(point))
      throw new RangeError(`a fault's \`${name}\` must be one of ${POINTS.join(", ")}`);
  }
}

function checkCombination(rule: FaultRule): void {
  const has = (name: keyof FaultRule) => rule[name] !== undefined && rule[name] !== false;
  if (!EFFECTS.some(has)) throw new RangeError(`a fault needs one of ${EFFECTS.join(", ")}`);
  if (has("body") && !has("status"))
    throw new RangeError("a fault's `body` needs a `status`: without one the answer is the real one");
  const [ending, other] = ENDINGS.filter(has);
  if (other !== undefined)
    throw new RangeError(`a fault has either \`${ending}\` or \`${other}\`: a request ends once`);
  const silent = endsWithoutAnswer(rule);
  const shaped = ANSWER.find(has);
  if (silent !== undefined && shaped !== undefined)
    throw new RangeError(`a fault with ${silent} sends no answer that its \`${shaped}\` could be seen in`);
  const bodily = BODY.find(has) ?? ENDINGS.find(has);
  if (STATUSES_WITHOUT_BODY.includes(rule.status ?? 0) && bodily !== undefined)
    throw new RangeError(
      `a fault with the status ${rule.status} has no body, so its \`${bodily}\` does nothing`,
    );
  if (rule.probability === undefined && rule.seed !== undefined)
    throw new RangeError("a fault's `seed` needs a `probability`: without one nothing is left to chance");
}

/** How a rule ends a request before anything is sent, if it does. */
function endsWithoutAnswer({ reset, stall, refuseMs }: FaultRule): string | undefined {
  if (reset === "before" || reset === "after") return `\`reset: "${reset}"\``;
  if (stall === "before" || stall === "after") return `\`stall: "${stall}"\``;
  return refuseMs === undefined ? undefined : "`refuseMs`";
}
