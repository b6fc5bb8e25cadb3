/** Decides which rule hits which request. Pure; `effects.ts` does what the rule says. */
import { seededFraction } from "../data/ids";
import type { EmulatorOperation, FaultRule } from "../types";
import { checkFaultRule } from "./rule";

/** A rule and its counters. */
export interface PendingFault {
  readonly rule: FaultRule;
  /** Matching requests to let pass before the first hit. */
  readonly after: number;
  /** Hits that are left. */
  readonly times: number;
  /** Draws made so far, for a rule with a probability. */
  readonly drawn: number;
}

/** The outcome of one request. */
export interface FaultDecision {
  /** The rule that hits the request, if one does. */
  readonly hit: FaultRule | undefined;
  /** The rules that remain for coming requests. */
  readonly pending: readonly PendingFault[];
}

/**
 * A rule with fresh counters.
 *
 * @throws RangeError that says what to change, for a rule that is not valid or has no effect
 */
export function pendingFault(rule: FaultRule): PendingFault {
  const checked = checkFaultRule(rule);
  const { after = 0, times = checked.probability === undefined ? 1 : "always" } = checked;
  return { rule: checked, after, times: times === "always" ? Number.POSITIVE_INFINITY : times, drawn: 0 };
}

/**
 * The oldest rule that is due hits the request. Every other matching rule counts it too, and draws for it where it has a
 * probability, so that no rule depends on the others.
 */
export function decideFault(pending: readonly PendingFault[], operation: EmulatorOperation): FaultDecision {
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
