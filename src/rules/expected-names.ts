/** Compares registrar and issuer with the expected ones, as the service reports them now. Pure. */
import type { Domain } from "../client/types";
import { comparable } from "../common/text";
import type { DomainRules } from "./components";
import type { Bound } from "./expiry-rule";
import { type Finding, finding } from "./finding";

/** Names to compare, and what to say of them. */
interface Comparison {
  kind: "registrar" | "certificate";
  about: "registrar" | "issuer";
  what: string;

  /** The list in the rules. */
  list: string;
  expected: readonly string[] | undefined;

  /** The names that the service reports; one of them has to be expected. */
  names: readonly (string | null)[];
  onUnknown: Bound["onUnknown"];
}

/** Unexpected names of the components that were checked. */
export function nameFindings(
  { provider, components: { whois, ssl } }: Domain,
  { registration, certificate }: DomainRules,
): Finding[] {
  const registrars = whois.lastCheckedAt ? registration?.registrars : undefined;
  const issuers = ssl.isEnabled && ssl.lastCheckedAt ? certificate?.issuers : undefined;

  return [
    ...unexpected({
      kind: "registrar",
      about: "registrar",
      what: "its registrar",
      list: "registration.registrars",
      expected: registrars,
      names: [provider],
      onUnknown: registration?.onUnknown,
    }),
    ...unexpected({
      kind: "certificate",
      about: "issuer",
      what: "its certificate's issuer",
      list: "certificate.issuers",
      expected: issuers,
      names: [ssl.issuer, ssl.organization],
      onUnknown: certificate?.onUnknown,
    }),
  ];
}

function unexpected({
  kind,
  about,
  what,
  list,
  expected,
  names,
  onUnknown,
}: Comparison): Finding[] {
  if (expected === undefined) return [];
  const known = names.filter((name) => name !== null);
  if (known.some((name) => expected.some((one) => isSameName(one, name)))) return [];

  if (known.length === 0) {
    const text = `${what} is not known, so it cannot be compared with ${list}: see why in the service`;
    const verdict = onUnknown === "warn" ? "warn" : "fail";

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
  return letters || comparable(name);
}
