/** The groups of a report on many domains, by urgency: what is wrong with a domain, or how long it is fine. */
import type { DomainReport } from "./model";

/** Domains with the same heading. */
export interface DomainGroup {
  /** Its name in the page's markup. */
  key: GroupKey;
  heading: string;
  /** Whether nothing is wrong with its domains. */
  isFine: boolean;
  domains: DomainReport[];
}

/** Within one rank, the domain comes first whose registration ends first. */
const GROUPS = {
  registration: { heading: "Registration expired or ending too soon", rank: 0 },
  certificate: { heading: "Certificate expired or invalid", rank: 0 },
  unknown: { heading: "Not known", rank: 1 },
  year: { heading: "Fine, registration ends within a year", rank: 2 },
  later: { heading: "Fine for longer than a year", rank: 2 },
};

/** Names of the groups. */
export type GroupKey = keyof typeof GROUPS;

const YEAR_DAYS = 365;

/** The groups that are not empty. One after the other, their domains are in the order given. */
export function groupsOf(domains: readonly DomainReport[]): DomainGroup[] {
  const groups = new Map<GroupKey, DomainGroup>();
  for (const domain of domains) {
    const key = keyOf(domain);
    const { heading, rank } = GROUPS[key];
    const group = groups.get(key) ?? { key, heading, isFine: rank === 2, domains: [] };
    group.domains.push(domain);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Sorts by urgency: expired or expiring by date, then unknown, then the others. */
export function urgentFirst(domains: readonly DomainReport[]): DomainReport[] {
  const rank = (domain: DomainReport) => GROUPS[keyOf(domain)].rank;
  const days = ({ registration }: DomainReport) => registration?.daysLeft ?? Number.MAX_SAFE_INTEGER;
  return [...domains].sort((a, b) => rank(a) - rank(b) || days(a) - days(b));
}

function keyOf({ registration, certificate, verdict }: DomainReport): GroupKey {
  if (registration?.status === "expired" || registration?.status === "expiring") return "registration";
  if (certificate?.status === "expired" || certificate?.status === "invalid") return "certificate";
  if (verdict !== "ok") return "unknown";
  return (registration?.daysLeft ?? 0) <= YEAR_DAYS ? "year" : "later";
}
