/**
 * The data of a report, as `--format json` prints it. Within `version` 1, fields may be added but not renamed or removed.
 */
import type { DomainComponents } from "../../client/types";
import type { CertificateReport } from "../../rules/certificate";
import type { DomainExpiry } from "../../rules/expiry";
import type { DescribedChange } from "../../rules/reviewed-changes";
import type { Finding } from "../../rules/verdict";
import type { Failure } from "../calls";
import type { ChannelFinding } from "../channels/list";

/** A report on many domains. */
export interface Report {
  /** Version of this format. */
  version: 1;
  /** Heading. */
  title: string;
  /** Time of creation, ISO 8601 in UTC. */
  generatedAt: string;
  /** Changes are listed since then: `DATE` or `SQL-TS`. */
  since: string;
  /** Days that registrations must last, where a domain has no bound of its own. */
  minimumDays: number;
  /** Days that certificates must last, where a domain has no bound of its own; null: they are not judged. */
  certificateDays: number | null;
  /** Number of domains by verdict. */
  summary: Summary;
  /** In the order given; with `--all`, by name. */
  domains: DomainReport[];
  /** What is wrong with channels whose domain is not known, if the rules ask for recorded channels. */
  channels: ChannelFinding[];
  /** One line for each skipped channel of a stack, with the reason. */
  notes: string[];
}

/** Number of domains by verdict. */
export interface Summary {
  /** All of them. */
  domains: number;
  /** Nothing was found. */
  ok: number;
  /** There are only warnings. */
  warning: number;
  /** Something needs attention. */
  attention: number;
  /** Something could not be determined. */
  error: number;
}

/**
 * The report on one domain. Null means that a part could not be determined; `problems` says why. Changes are null, too, if the
 * rules name only the other kind.
 */
export interface DomainReport {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  /** `warning`: near a bound, or accepted. `attention`: a violation. `error`: something could not be determined. */
  verdict: "ok" | "warning" | "attention" | "error";
  /** Domain name. */
  domain: string | null;
  /** Display label. */
  label: string | null;
  /** Registrar or provider name. */
  registrar: string | null;
  /** Violations and warnings. */
  findings: Finding[];
  /** What is wrong with components that no rule requires, or how long ago they were checked, each in one line. */
  remarks: string[];
  /** Its registration. */
  registration: RegistrationReport | null;
  /** Its certificate. */
  certificate: CertificateReport | null;
  /** Its monitored components, as in `getDomain`. */
  components: DomainComponents | null;
  /** Its WHOIS changes since then. */
  whoisChanges: ChangesReport | null;
  /** Its DNS changes since then. */
  dnsChanges: ChangesReport | null;
  /** The parts that could not be determined. */
  problems: Problem[];
}

/** The registration, as evaluated by `evaluateDomainExpiry`. */
export interface RegistrationReport
  extends Pick<DomainExpiry, "status" | "expiresAt" | "actBy" | "checkedAt" | "message"> {
  /** UTC days until it expires; negative if it has expired. */
  daysLeft: number | null;
}

/** The changes of one kind since the report's `since`. */
export interface ChangesReport {
  /** Total number. */
  count: number;
  /** The newest ones, newest first, at most 1000. */
  changes: ReportedChange[];
}

/** One change. */
export interface ReportedChange extends Omit<DescribedChange, "kind"> {}

/** A part that could not be determined, and the reason. */
export interface Problem extends Failure {
  /** The part that could not be determined; `domain` is the domain itself. */
  part: "domain" | "whoisChanges" | "dnsChanges" | "channels";
}
