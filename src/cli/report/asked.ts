/** The questions of a report: which domains, by which rules, since when. Sends no request. */
import { toInstant } from "../../client/timestamps";
import { DAY_MS } from "../../rules/days";
import type { ChangeKind } from "../../rules/fields";
import type { DomainSelection } from "../options";
import { type BoundRules, bindRules, type GivenBounds, readKinds } from "../rules/binding";
import { readRules } from "../rules/file";
import type { Rules } from "../rules/schema";
import { readSelection, type Selection } from "../selection";
import { type Earlier, readEarlier } from "./input";

/** The questions, as far as they are known before the first request. */
export interface Asked {
  title: string;
  now: Date;
  baseUrl: string | undefined;
  selection: Selection;

  /** As in the file. */
  rules: Rules;

  /** For each domain. */
  bound: BoundRules;

  /** Changes are listed since then: `DATE` or `SQL-TS`. */
  since: string;

  /** Changes are read since then. */
  from: Date;

  /** Kinds of changes to read. */
  kinds: ChangeKind[];

  /** Whether the channels of the service are compared with the stacks'. */
  comparesChannels: boolean;

  /** The report to compare with; undefined without one. */
  earlier: Earlier | undefined;
}

/** The arguments of a report. */
export interface GivenReport extends DomainSelection, GivenBounds {
  baseUrl?: string;
  rules?: string;
  since?: string;
  previous?: string;
  title?: string;
}

/** Changes of these days are listed unless a date is given. */
const RECENT_DAYS = 30;

/**
 * @param isCertificateJudged whether certificates are judged where neither options nor file mention
 * them
 * @throws Error with one line if files or arguments are not valid
 */
export async function ask(given: GivenReport, { isCertificateJudged = true } = {}): Promise<Asked> {
  const { minimumDays = 0, warnDays = minimumDays } = given;
  if (warnDays < minimumDays) throw new Error("--warn-days is below --minimum-days: raise it");

  const now = new Date();
  const rules = await readRules(given.rules, now);
  const comparesChannels = rules.channels?.recorded ?? false;
  if (comparesChannels && !given.fromStack)
    throw new Error(
      "channels.recorded compares the service with stacks: pass their deployments with --from-stack, or remove it from the rules file",
    );

  const since = given.since ?? defaultSince(now);

  return {
    title: given.title ?? "Domain report",
    now,
    baseUrl: given.baseUrl,
    selection: { ...(await readSelection(given)), named: Object.keys(rules.domains ?? {}) },
    rules,
    bound: bindRules(rules, given, isCertificateJudged),
    since,
    from: earliest([since, rules.changes?.since ?? since]),
    kinds: readKinds(rules),
    comparesChannels,
    earlier: given.previous === undefined ? undefined : await readEarlier(given.previous),
  };
}

function defaultSince(now: Date): string {
  return new Date(now.getTime() - RECENT_DAYS * DAY_MS).toISOString().slice(0, 10);
}

function earliest(dates: readonly string[]): Date {
  return new Date(Math.min(...dates.map((date) => toInstant(date)?.getTime() ?? 0)));
}
