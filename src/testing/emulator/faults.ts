/** Which rule hits which request. Pure: HTTP is the business of `breakage.ts`. */
import type { FaultRule, OperationName } from "./types";

/** A rule with what is left of its two counters. */
export interface PendingFault {
  readonly rule: FaultRule;
  /** Requests that it still lets pass. */
  readonly after: number;
  /** Requests that it still hits. */
  readonly times: number;
}

/** What one request does to the rules. */
export interface FaultDecision {
  /** The rule that hits the request, if one does. */
  readonly hit: FaultRule | undefined;
  /** The rules that remain for coming requests. */
  readonly pending: readonly PendingFault[];
}

/**
 * A rule that nothing has counted against yet.
 *
 * @throws RangeError where the rule could not do anything, or not what it says
 */
export function pendingFault(rule: FaultRule): PendingFault {
  const { status, reset, after = 0, times = 1 } = rule;
  if (status === undefined && reset === undefined) throw new RangeError("a fault needs a status or a reset");
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new RangeError("a fault's status must be a whole number from 200 to 599");
  }
  if (!(after >= 0)) throw new RangeError("a fault's `after` must not be negative");
  if (!(times >= 1)) throw new RangeError("a fault's `times` must be at least 1");
  return { rule, after, times };
}

/**
 * The oldest rule that is due hits the request. Rules that still let requests pass count this one as passed, whether
 * or not another rule hits it: `after` counts requests and does not depend on other rules.
 */
export function decideFault(pending: readonly PendingFault[], operation: OperationName): FaultDecision {
  let hit: FaultRule | undefined;
  const remaining: PendingFault[] = [];
  for (const fault of pending) {
    if (fault.rule.operation !== undefined && fault.rule.operation !== operation) {
      remaining.push(fault);
    } else if (fault.after > 0) {
      remaining.push({ ...fault, after: fault.after - 1 });
    } else if (hit !== undefined) {
      remaining.push(fault);
    } else {
      hit = fault.rule;
      if (fault.times > 1) remaining.push({ ...fault, times: fault.times - 1 });
    }
  }
  return { hit, pending: remaining };
}
