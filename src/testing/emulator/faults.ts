/** Which rule hits which request. Pure: HTTP is the business of `breakage.ts`. */
import { checkFault } from "./fault-check";
import type { FaultRule } from "./fault-types";
import { seededFraction } from "./random";
import type { OperationName } from "./types";

/** A rule with what is left of its counters. */
export interface PendingFault {
  readonly rule: FaultRule;
  /** Requests that it still lets pass. */
  readonly after: number;
  /** Requests that it still hits. */
  readonly times: number;
  /** Requests about which chance has decided. */
  readonly drawn: number;
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
  checkFault(rule);
  const { after = 0, times = rule.probability === undefined ? 1 : "always" } = rule;
  return { rule, after, times: times === "always" ? Number.POSITIVE_INFINITY : times, drawn: 0 };
}

/**
 * The oldest rule that is due hits the request. Rules that still let requests pass count this one as passed, and rules
 * with a probability draw for it, whether or not another rule hits it: neither depends on other rules.
 */
export function decideFault(pending: readonly PendingFault[], operation: OperationName): FaultDecision {
  let hit: FaultRule | undefined;
  const remaining: PendingFault[] = [];
  for (const fault of pending) {
    if (fault.rule.operation !== undefined && fault.rule.operation !== operation) {
      remaining.push(fault);
    } else if (fault.after > 0) {
      remaining.push({ ...fault, after: fault.after - 1 });
    } else {
      const drawn = { ...fault, drawn: fault.drawn + 1 };
      const hits = hit === undefined && isDrawn(fault);
      if (hits) hit = fault.rule;
      if (!hits) remaining.push(drawn);
      else if (fault.times > 1) remaining.push({ ...drawn, times: fault.times - 1 });
    }
  }
  return { hit, pending: remaining };
}

function isDrawn({ rule: { probability = 1, seed = 0 }, drawn }: PendingFault): boolean {
  return seededFraction(seed, "fault", drawn) < probability;
}
