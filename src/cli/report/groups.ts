/** Domains under headings, by their most urgent trouble. */
import { groupBy } from "../../common/order";
import type { DomainReport } from "./model";
import { KIND_HEADINGS, VERDICT_TEXTS } from "./texts";

/** Domains of one kind, under a heading. */
export interface DomainGroup {
  key: string;
  heading: string;
  isFine: boolean;
  domains: DomainReport[];
}

/** Groups in the order of their first domains, each with its domains in the order given. */
export function groupsOf(domains: readonly DomainReport[]): DomainGroup[] {
  const groups = [...groupBy(domains, keyOf)];

  return groups.map(([key, ofGroup]) => ({
    key,
    heading: HEADINGS[key] ?? "",
    isFine: FINE.includes(key),
    domains: ofGroup,
  }));
}

const FINE = ["year", "later"];

const HEADINGS: Record<string, string> = {
  ...KIND_HEADINGS,
  unknown: VERDICT_TEXTS.unknown.heading,
  warn: VERDICT_TEXTS.warn.heading,
  year: "Fine, registration ends within a year",
  later: "Fine for longer than a year",
};

const YEAR_DAYS = 365;

function keyOf({ findings, registration }: DomainReport): string {
  const [first] = findings;
  if (first) return first.verdict === "fail" ? first.kind : first.verdict;

  return (registration?.daysLeft ?? 0) <= YEAR_DAYS ? "year" : "later";
}
