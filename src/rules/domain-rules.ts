/** The rules for a domain. A rules file, options and defaults are bound to them. */
import type { DomainComponents } from "../client/types";
import type { Exception } from "./exceptions";
import type { RegistrationRule } from "./expiry";
import type { Bound } from "./expiry-rule";
import type { ChangeKind } from "./fields";
import type { ReviewRule } from "./reviewed-changes";

/** The monitored components, by their names in the rules. */
export const COMPONENTS = [
  "whois",
  "dns",
  "ssl",
] as const satisfies readonly (keyof DomainComponents)[];

/** One of {@link COMPONENTS}. */
export type ComponentName = (typeof COMPONENTS)[number];

/** The rules for one domain. */
export interface DomainRules {
  /** Null: registrations are not judged. */
  registration: (RegistrationRule & { registrars?: readonly string[] }) | null;

  /** Null: certificates are not judged. */
  certificate: (Bound & { issuers?: readonly string[] }) | null;

  /** Components that have to be switched on, `HEALTHY` and checked in time. */
  components: readonly ComponentName[];

  /** Maximum age of their last checks; undefined: any. */
  maximumAgeHours: number | undefined;

  /** Changes that have to be reviewed; undefined if none have to be. */
  changes: ChangesRule | undefined;
  accept: readonly Exception[];
}

/** Which changes have to be reviewed. */
export interface ChangesRule extends ReviewRule {
  /** Changes since then, inclusive: `DATE` or `SQL-TS`. */
  since: string;
  kinds: readonly ChangeKind[];

  /** Fields whose changes do not have to be reviewed. */
  ignoreFields?: readonly string[];
}
