/**
 * The data of a report, as `--format json` prints it. Within `version` 1, fields may be added but
 * not renamed or removed.
 */
import type { DomainComponents } from "../../client/types";
import type { CertificateState } from "../../rules/certificate";
import type { RegistrationState } from "../../rules/expiry";
import type { Verdict } from "../../rules/expiry-rule";
import type { ChangeKind } from "../../rules/fields";
import type { Finding } from "../../rules/finding";
import type { DescribedChange } from "../../rules/reviewed-changes";
import type { Failure } from "../calls";

/** A report on many domains. */
export interface Report {
  /** Version of this format. */
  version: 1;

  /** Heading. */
  title: string;

  /** Time of creation, ISO 8601 in UTC. */
  generatedAt: string;

  /** The exit code of the command. */
  exitCode: number;

  /** Kinds of changes that were read. */
  kinds: ChangeKind[];

  /** Changes are listed since then: `DATE` or `SQL-TS`. */
  since: string;

  /** Changes have to be reviewed since then; null: they are not judged. */
  reviewSince: string | null;

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

  /** Findings about no domain of the report: channels that do not show theirs. */
  findings: ReportedFinding[];

  /** Findings of the earlier report that are no longer there; null without one to compare with. */
  resolved: ResolvedFinding[] | null;

  /**
   * One line for each note: skipped channels of a stack, and parts of the rules file without an
   * effect.
   */
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

  /** Its WHOIS changes since then. */
  whoisChanges: ChangesReport | null;

  /** Its DNS changes since then. */
  dnsChanges: ChangesReport | null;
}

/** A finding of a report. */
export interface ReportedFinding extends Finding {
  /** The call that failed; null unless the verdict is `unknown`. */
  failure: Failure | null;

  /** Whether an earlier report does not have it; null without one to compare with. */
  isNew: boolean | null;

  /** Whether it is from an earlier report, because it could not be determined this time. */
  isKept: boolean;
}

/** A finding of an earlier report that is no longer there. */
export interface ResolvedFinding extends Pick<Finding, "kind" | "field" | "text"> {
  /** Id of the domain; empty if it was about none. */
  id: string;

  /** Domain name. */
  domain: string | null;
}

/** The changes of one kind since the report's `since`. */
export interface ChangesReport {
  /** Total number. */
  count: number;

  /** The newest ones, newest first, at most 1000. */
  changes: DescribedChange[];
}
