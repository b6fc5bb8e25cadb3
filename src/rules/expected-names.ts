/** Compares registrar and issuer with the expected ones, as the service reports them now. Pure. */
import type { Domain } from "../client/types";
import { inLowerCase } from "../common/text";
import type { DomainRules } from "./components";
import type { Bound } from "./expiry-rule";
import { type Finding, finding } from "./finding";

/** A name that a rule may expect, and what messages call it. */
interface Comparison extends Pick<Finding, "kind" | "about"> {
  what: string;

  /** The list in the rules. */
  list: string;
}

const REGISTRAR: Comparison = {
  kind: "registrar",
  about: "registrar",
  what: "its registrar",
  list: "registration.registrars",
};

const ISSUER: Comparison = {
  kind: "certificate",
  about: "issuer",
  what: "its certificate's issuer",
  list: "certificate.issuers",
};

/** Unexpected names of the components that were checked. */
export function nameFindings(
  { provider, components: { whois, ssl } }: Domain,
  { registration, certificate }: DomainRules,
): Finding[] {
  const registrars = whois.lastCheckedAt ? registration?.registrars : undefined;
  const issuers = ssl.isEnabled && ssl.lastCheckedAt ? certificate?.issuers : undefined;

  return [
    ...unexpected(REGISTRAR, registrars, [provider], registration),
    ...unexpected(ISSUER, issuers, [ssl.issuer, ssl.organization], certificate),
  ];
}

/** @param names the names that the service reports; one of them has to be expected */
function unexpected(
  { kind, about, what, list }: Comparison,
  expected: readonly string[] | undefined,
  names: readonly (string | null)[],
  bound: Bound | null,
): Finding[] {
  if (expected === undefined) return [];
  const known = names.filter((name) => name !== null);
  if (known.some((name) => expected.some((one) => isSameName(one, name)))) return [];

  if (known.length === 0) {
    const text = `${what} is not known, so it cannot be compared with ${list}: see why in the service`;
    const verdict = bound?.onUnknown === "warn" ? "warn" : "fail";

    return [finding({ kind, about, state: "unknown", verdict, text })];
  }

  const named = known.join(" of ");
  const text = `${what} is ${named}: if that is intended, add it to ${list}`;
  // With the name: another unexpected one is new trouble.
  return [finding({ kind, about, state: `unexpected ${named}`, text })];
}

/** Whether names of companies differ only in case, punctuation and spaces. */
function isSameName(one: string, other: string): boolean {
  return comparableCompany(one) === comparableCompany(other);
}

/** A name of symbols alone stays as it is. */
function comparableCompany(name: string): string {
  const letters = name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  return letters || inLowerCase(name);
}
