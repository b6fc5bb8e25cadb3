/** The groups of a report on many domains: what is wrong with a domain, or how long it is fine. */
import type { DomainReport } from "./model";
import { urgentFirst } from "./words";

/** Domains with the same heading. */
export interface DomainGroup {
  /** Its name in the page's markup. */
  key: GroupKey;
  heading: string;
  domains: DomainReport[];
}

/** Heading of each group, the most urgent first. */
const HEADINGS = {
  registration: "Registration expired or ending too soon",
  certificate: "Certificate expired or invalid",
  unknown: "Not known",
  year: "Fine, registration ends within a year",
  later: "Fine for longer than a year",
};

/** Names of the groups. */
export type GroupKey = keyof typeof HEADINGS;

/** The groups whose domains are fine. */
export const FINE: ReadonlySet<GroupKey> = new Set<GroupKey>(["year", "later"]);

const YEAR_DAYS = 365;

/** The groups that are not empty. One after the other, their domains are in the order of {@link urgentFirst}. */
export function groupsOf(domains: readonly DomainReport[]): DomainGroup[] {
  const groups = new Map<GroupKey, DomainGroup>();
  for (const domain of urgentFirst(domains)) {
    const key = keyOf(domain);
    const group = groups.get(key) ?? { key, heading: HEADINGS[key], domains: [] };
    group.domains.push(domain);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function keyOf({ registration, certificate, verdict }: DomainReport): GroupKey {
  if (registration?.status === "expired" || registration?.status === "expiring") return "registration";
  if (certificate?.status === "expired" || certificate?.status === "invalid") return "certificate";
  if (verdict !== "ok") return "unknown";
  return (registration?.daysLeft ?? 0) <= YEAR_DAYS ? "year" : "later";
}
