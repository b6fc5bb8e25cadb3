/** The questions of a report: which domains, by which rules, since when. Sends no request. */
import { DAY_MS } from "../../rules/days";
import { type DomainSelection, NO_CHANGES } from "../options";
import { type BoundRules, bindRules, type GivenBounds } from "../rules/binding";
import { readRules } from "../rules/file";
import type { Rules } from "../rules/schema";
import { readSelection, type Selection } from "../selection";

/** The questions, as far as they are known before the first request. */
export interface Asked {
  now: Date;
  selection: Selection;

  /** As in the file. */
  rules: Rules;

  /** For each domain. */
  bound: BoundRules;

  /** Changes are shown since then: `DATE` or `SQL-TS`. Null: they are not read. */
  since: string | null;

  /** Whether the channels of the service are compared with the stacks'. */
  comparesChannels: boolean;
}

/** The arguments of a report. */
export interface GivenReport extends DomainSelection, GivenBounds {
  rules?: string;
  since?: string;
}

/** Changes of these days are shown unless a date is given. */
const RECENT_DAYS = 30;

/** @throws Error with one line if files or arguments are not valid */
export async function ask(given: GivenReport): Promise<Asked> {
  const now = new Date();
  const rules = await readRules(given.rules, now);
  const comparesChannels = rules.channels?.recorded ?? false;
  if (comparesChannels && !given.fromStack)
    throw new Error(
      "channels.recorded compares the service with stacks: pass their deployments with --from-stack, or remove it from the rules file",
    );

  const { since = defaultSince(now) } = given;

  return {
    now,
    selection: { ...(await readSelection(given)), named: Object.keys(rules.domains ?? {}) },
    rules,
    bound: bindRules(rules, given),
    since: since === NO_CHANGES ? null : since,
    comparesChannels,
  };
}

function defaultSince(now: Date): string {
  return new Date(now.getTime() - RECENT_DAYS * DAY_MS).toISOString().slice(0, 10);
}
