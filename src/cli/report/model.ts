/**
 * What a report says, before it is given a form. `--format json` prints exactly this. Fields may be added, none is renamed
 * or removed within `version` 1.
 */
import type { CertificateReport } from "../../rules/certificate";
import type { DomainExpiry } from "../../rules/expiry";
import type { Failure } from "../in-order";

/** A report on many domains. */
export interface Report {
  /** Version of this form. */
  version: 1;
  /** Its heading. */
  title: string;
  /** When it was made, ISO 8601 in UTC. */
  generatedAt: string;
  /** Changes are listed from then on: `DATE` or `SQL-TS`. */
  since: string;
  /** The bound that registrations are judged by. */
  minimumDays: number;
  /** How many domains there are by verdict. */
  summary: Summary;
  /** In the order in which the ids were given. */
  domains: DomainReport[];
  /** What was left out of a stack and why. */
  notes: string[];
}

/** How many domains there are by verdict. */
export interface Summary {
  /** All of them. */
  domains: number;
  /** Nothing needs attention. */
  ok: number;
  /** Something needs attention. */
  attention: number;
  /** Something could not be determined. */
  error: number;
}

/** What is known of one domain. Null stands for what could not be determined; `problems` says why. */
export interface DomainReport {
  /** Id of the domain. */
  id: string;
  /** `attention`: something needs attention. `error`: something could not be determined. */
  verdict: "ok" | "attention" | "error";
  /** Domain name. */
  domain: string | null;
  /** Display label. */
  label: string | null;
  /** Registrar or provider name. */
  registrar: string | null;
  /** Its registration. */
  registration: RegistrationReport | null;
  /** Its certificate. */
  certificate: CertificateReport | null;
  /** Its WHOIS changes since then. */
  whoisChanges: ChangesReport | null;
  /** Its DNS changes since then. */
  dnsChanges: ChangesReport | null;
  /** What could not be determined. */
  problems: Problem[];
}

/** The registration, as `evaluateDomainExpiry` judges it. */
export interface RegistrationReport {
  /** As `DomainExpiry` has it. */
  status: DomainExpiry["status"];
  /** `DATE` as served. */
  expiresAt: string | null;
  /** UTC days until then; negative is past. */
  daysLeft: number | null;
  /** `DATE` on which `minimumDays` are left. */
  actBy: string | null;
  /** Last WHOIS check, as served. */
  checkedAt: string | null;
  /** All of it in one line. */
  message: string;
}

/** The changes of one kind since the report's `since`. */
export interface ChangesReport {
  /** How many there are. */
  count: number;
  /** The newest ones, newest first, at most 1000. */
  changes: ReportedChange[];
}

/** One change. */
export interface ReportedChange {
  /** Id of the change. */
  id: string;
  /** Such as `nameservers` or `mx_records`. */
  fieldChanged: string;
  /** `SQL-TS`, taken as UTC. */
  createdAt: string;
  /** What was there and what is there now, in one line. */
  summary: string;
}

/** What could not be determined, and why. */
export interface Problem extends Failure {
  /** What could not be determined. */
  part: "domain" | "whoisChanges" | "dnsChanges";
}
