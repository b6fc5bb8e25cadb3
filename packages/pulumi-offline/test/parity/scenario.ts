/** The parts of a scenario. */
import type * as pulumi from "@pulumi/pulumi";
import type { Narrowed } from "../../../../test/support/engines";
import type { Probe, ProbeInputs } from "../probe";

/** The world of a scenario's program. */
export interface Place {
  /** Makes a probe whose calls are logged. */
  probe(name: string, inputs?: ProbeInputs, options?: pulumi.CustomResourceOptions): Probe;

  /**
   * Tells the probes' providers what a read finds from now on: changed properties, or that it is
   * gone.
   */
  live(found: Record<string, unknown>): void;
}

/**
 * A function, or the text of an `index.js` that finds the SDK: a scenario has only the ones or only
 * the others.
 */
export type Program = ((place: Place) => unknown) | string;

/** One operation; a program given with it stays until another is given. */
export interface Step {
  operation: "preview" | "up" | "refresh" | "destroy";
  program?: Program;
  options?: Narrowed;
}

export const preview = (program?: Program): Step => ({ operation: "preview", program });
export const up = (program?: Program): Step => ({ operation: "up", program });
export const refresh = (): Step => ({ operation: "refresh" });
export const destroy = (): Step => ({ operation: "destroy" });

/** The step with these options. */
export const only = (options: Narrowed, step: Step): Step => ({ ...step, options });

export interface Scenario {
  name: string;

  /** Whether it is one of the few that `npm test` runs. @default false */
  isUsual?: true;
  secrets?: Record<string, string>;

  /** Files beside the program's, such as those of its configuration; only for programs in files. */
  files?: Record<string, string>;

  /** Whether it has resources of another package, which ../package answers for. */
  mocked?: true;
  steps: Step[];

  /** Calls in the order that is part of the promise: of each list, one comes after the other. */
  order?: string[];
}

/** Scenarios by their names: those that need nothing but their steps are these. */
export function scenariosOf(all: Record<string, Step[] | Omit<Scenario, "name">>): Scenario[] {
  return Object.entries(all).map(([name, scenario]) => ({
    name,
    ...(Array.isArray(scenario) ? { steps: scenario } : scenario),
  }));
}
