/** Findings about domains: one type and one vocabulary for programs, commands and every format. */
import type { Verdict } from "./expiry-rule";
import type { ChangeKind } from "./fields";

/** The subjects that an exception in the rules can accept. */
export const SUBJECTS = [
  "registration",
  "certificate",
  "whois",
  "dns",
  "ssl",
  "changes",
  "channels",
] as const;

/** One of {@link SUBJECTS}. */
export type Subject = (typeof SUBJECTS)[number];

/**
 * Kinds of trouble, the most urgent first. `status` has the transfer lock; `domain`: it is missing
 * or has left; `mail`: its mail servers; `change`: another change; `exception`: it has ended.
 */
export const KINDS = [
  "registrar",
  "status",
  "nameservers",
  "domain",
  "registration",
  "certificate",
  "component",
  "mail",
  "change",
  "channel",
  "exception",
] as const;

/** One of {@link KINDS}. */
export type Kind = (typeof KINDS)[number];

const CONTROL: readonly Kind[] = ["registrar", "status", "nameservers"];

/** Whether it can be a step of a theft. */
export function isOfControl({ kind }: { kind: Kind }): boolean {
  return CONTROL.includes(kind);
}

/** The changes of one field of a domain that nobody has reviewed. */
export interface FieldChange {
  /** Component that the field belongs to. */
  kind: ChangeKind;

  /** Value before the first of them, as served. */
  oldValue: string | null;

  /** Value after the last of them, as served. */
  newValue: string | null;

  /** Each of them, the newest first. */
  changes: { id: string; createdAt: string }[];
}

/**
 * Something about a domain that a rule does not allow, that comes close to it, or that could not be
 * determined.
 */
export interface Finding {
  /** Kind of trouble, by which findings are ordered. */
  kind: Kind;

  /** Subject of an exception that would accept it; `domain` cannot be accepted. */
  about: Subject | "domain";

  /** The field that changed, as on the wire, or that is not the expected one; else null. */
  field: string | null;

  /** The trouble within its kind, such as `expiring`. */
  state: string;

  /** `warn`: near its bound, or accepted by an exception. */
  verdict: Exclude<Verdict, "pass">;

  /**
   * Within a kind, lower comes first: days left, 99999 if the date is not known, 0 for what has no
   * date.
   */
  urgency: number;

  /** The trouble and its fix, in one line without the domain's name. */
  text: string;

  /** Time of the last change, as served; null if it is not about changes. */
  at: string | null;

  /** Ids of the changes to review, or of the channel. */
  ids: string[];

  /** The changes; null if it is not about changes. */
  change: FieldChange | null;
}

type Given = Pick<Finding, "kind" | "about" | "state" | "text">;

/** A finding; a violation unless it says otherwise. */
export function finding(given: Given & Partial<Finding>): Finding {
  return {
    field: null,
    verdict: "fail",
    urgency: 0,
    at: null,
    ids: [],
    change: null,
    ...given,
  };
}
