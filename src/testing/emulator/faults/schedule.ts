/** Decides which rule hits which request; `effects.ts` does what the rule says. */
import { seededFraction } from "../data/ids";
import type { EmulatorOperation, FaultRule, Lifecycle } from "../types";
import { checkFaultRule } from "./rule";

/** A rule and its counters. */
interface PendingFault {
  readonly rule: FaultRule;
  /** Matching requests to let pass before the first hit. */
  after: number;
  /** Hits that are left. */
  times: number;
  /** Draws made so far, for a rule with a probability. */
  drawn: number;
}

/** The faults of one emulator. */
export class Faults {
  readonly #lifecycle: Lifecycle;
  readonly #initial: readonly FaultRule[];
  #pending: PendingFault[];

  /** @throws RangeError that says what to change, for a rule that is not valid, has no effect or can hit nothing */
  constructor(rules: readonly FaultRule[], lifecycle: Lifecycle) {
    this.#lifecycle = lifecycle;
    this.#initial = rules.map((rule) => checkFaultRule(rule, lifecycle));
    this.#pending = this.#initial.map(withCounters);
  }

  /** @throws RangeError as the constructor */
  add(rule: FaultRule): void {
    this.#pending.push(withCounters(checkFaultRule(rule, this.#lifecycle)));
  }

  clear(): void {
    this.#pending = [];
  }

  /** Back to the initial rules, as if they had hit nothing yet. */
  reset(): void {
    this.#pending = this.#initial.map(withCounters);
  }

  /**
   * Counts a request and returns the rule that hits it: the oldest one that is due. Every other matching rule counts it too,
   * and draws for it where it has a probability, so that no rule depends on the others.
   */
  take(operation: EmulatorOperation): FaultRule | undefined {
    let hit: FaultRule | undefined;
    for (const fault of this.#pending) {
      if ((fault.rule.operation ?? operation) !== operation) continue;
      if (fault.after > 0) {
        fault.after -= 1;
      } else if (isDrawn(fault) && hit === undefined) {
        hit = fault.rule;
        fault.times -= 1;
      }
    }
    this.#pending = this.#pending.filter(({ times }) => times > 0);
    return hit;
  }
}

function withCounters(rule: FaultRule): PendingFault {
  const { after = 0, times = rule.probability === undefined ? 1 : "always" } = rule;
  return { rule, after, times: times === "always" ? Number.POSITIVE_INFINITY : times, drawn: 0 };
}

/** Whether the next draw of a rule hits; without a probability each does. */
function isDrawn(fault: PendingFault): boolean {
  const { probability = 1, seed = 0 } = fault.rule;
  fault.drawn += 1;
  return seededFraction(seed, "fault", fault.drawn - 1) < probability;
}
