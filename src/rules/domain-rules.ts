/** The rules for a domain. A rules file, options and defaults are bound to them. */
import type { DomainComponents } from "../client/types";
import type { RegistrationRule } from "./expiry";
import type { Bound } from "./expiry-rule";
import type { Exception } from "./finding";

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
  accept: readonly Exception[];
}
