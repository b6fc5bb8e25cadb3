/**
 * The data of a report, as `--format json` prints it. Within `version` 1, fields may be added but
 * not renamed or removed.
 */
import type { DomainComponents } from "../../client/types";
import type { CertificateState } from "../../rules/certificate";
import type { RegistrationState } from "../../rules/expiry";
import type { Verdict } from "../../rules/expiry-rule";
import type { Finding } from "../../rules/finding";
import type { Failure } from "../calls";

/** A report on many domains. */
export interface Report {
  /** Version of this format. */
  version: 1;

  /** Time of creation, ISO 8601 in UTC. */
  generatedAt: string;

  /** The exit code of the command. */
  exitCode: number;

  /** Changes are shown since then, `DATE` or `SQL-TS`; null: they were not read. */
  since: string | null;

  /**
   * Days that registrations must last, where a domain has no bound of its own; null: they are not
   * judged.
   */
  minimumDays: number | null;

  /**
   * Days that certificates must last, where a domain has no bound of its own; null: they are not
   * judged.
   */
  certificateDays: number | null;

  /** Number of domains, and of those with each verdict. */
  summary: { domains: number } & Record<Verdict, number>;

  /** In the order given; with `--all`, by name. */
  domains: DomainReport[];

  /** Every finding, also those of `domains`; the most urgent first. */
  findings: ReportedFinding[];

  /** One line for each note: skipped channels of a stack, and groups that match no domain. */
  notes: string[];
}

/**
 * The report on one domain. Null means that a part was not read or could not be determined;
 * `findings` say why.
 */
export interface DomainReport {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;

  /** The worst of its findings. */
  verdict: Verdict;

  /** Domain name. */
  domain: string | null;

  /** Display label. */
  label: string | null;

  /** Registrar or provider name. */
  registrar: string | null;

  /** Violations, warnings and undetermined facts; the most urgent first. */
  findings: ReportedFinding[];

  /** Facts worth knowing that no rule is about, each in one line. */
  remarks: string[];

  /** Its registration. */
  registration: RegistrationState | null;

  /** Its certificate. */
  certificate: CertificateState | null;

  /** Its monitored components, as in `getDomain`. */
  components: DomainComponents | null;

  /** Its changes since then, newest first. */
  changes: ReportedChange[] | null;
}

/** A finding of a report. */
export interface ReportedFinding extends Finding {
  /**
   * Stays the same from night to night, until the trouble gets worse or better; has no spaces or
   * control characters.
   */
  key: string;

  /** Id of the domain, as in `domains`; null for a channel that does not show its domain. */
  domainId: string | null;

  /** Domain name; null if it could not be determined. */
  domain: string | null;

  /** The call that failed; null unless the verdict is `unknown`. */
  failure: Failure | null;
}

/** A component whose changes are listed. */
export type ChangeKind = "whois" | "dns";

/** A change as the service describes it. */
export interface ReportedChange {
  /** Identifier of the change. */
  id: string;

  /** Component that it belongs to. */
  kind: ChangeKind;

  /** Such as `nameservers` or `mx_records`. */
  fieldChanged: string;

  /** `SQL-TS`, taken as UTC. */
  createdAt: string;

  /** The change in short; null if the service says nothing. */
  summary: string | null;

  /** Previous value as the service formats it, else as served. */
  oldValue: string | null;

  /** New value, like `oldValue`. */
  newValue: string | null;
}
