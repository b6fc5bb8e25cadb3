/** Domains under headings, by their most urgent trouble. */
import { groupBy } from "../../common/order";
import type { Kind } from "../../rules/finding";
import type { DomainReport } from "./model";
import { VERDICT_TEXTS } from "./texts";

/** Domains of one kind, under a heading. */
export interface DomainGroup {
  key: string;
  heading: string;
  isFine: boolean;

  /** Whether some of their findings are about dates, which a timeline shows. */
  hasDates: boolean;
  domains: DomainReport[];
}

/** Groups in the order of their first domains, each with its domains in the order given. */
export function groupsOf(domains: readonly DomainReport[]): DomainGroup[] {
  const groups = [...groupBy(domains, keyOf)];

  return groups.map(([key, ofGroup]) => ({
    key,
    heading: HEADINGS[key],
    isFine: FINE.includes(key),
    hasDates: ofGroup.some(isAboutDates),
    domains: ofGroup,
  }));
}

/** Whether it has a finding about the end of its registration or certificate. */
export function isAboutDates({ findings }: DomainReport): boolean {
  return findings.some(({ kind }) => kind === "registration" || kind === "certificate");
}

type Group = Kind | "unknown" | "warn" | "year" | "later";

const FINE: readonly Group[] = ["year", "later"];

/** By the kind of the most urgent violation, or by verdict, or by the end of the registration. */
const HEADINGS: Record<Group, string> = {
  domain: "Missing from the account",
  registrar: "Another registrar",
  registration: "Registration expired, ending too soon or not known",
  certificate: "Certificate expired, invalid, of another issuer, ending too soon or not known",
  component: "Checks that are required",
  channel: "Channels",
  changes: "Changes that could not be read",
  exception: "Exceptions that have ended",
  unknown: VERDICT_TEXTS.unknown.heading,
  warn: VERDICT_TEXTS.warn.heading,
  year: "Fine, registration ends within a year",
  later: "Fine for longer than a year",
};

const YEAR_DAYS = 365;

function keyOf({ findings, registration }: DomainReport): Group {
  const [first] = findings;
  if (first) return first.verdict === "fail" ? first.kind : first.verdict;

  return (registration?.daysLeft ?? 0) <= YEAR_DAYS ? "year" : "later";
}
