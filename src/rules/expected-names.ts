/**
 * Compares registrar and issuer with the expected ones, which also shows a change that is missing
 * from the history. Pure.
 */
import type { Domain } from "../client/types";
import type { DomainRules } from "./domain-rules";
import type { Bound } from "./expiry-rule";
import { isSameName } from "./fields";
import { type Finding, finding } from "./finding";

const NAMES = {
  registrar: { kind: "registrar", what: "its registrar", list: "registration.registrars" },
  issuer: { kind: "certificate", what: "its certificate's issuer", list: "certificate.issuers" },
} as const;

/** Unexpected names of the components that were checked. */
export function nameFindings(
  { provider, components: { whois, ssl } }: Domain,
  { registration, certificate }: DomainRules,
): Finding[] {
  const registrars = whois.lastCheckedAt ? registration?.registrars : undefined;
  const issuers = ssl.isEnabled && ssl.lastCheckedAt ? certificate?.issuers : undefined;

  return [
    ...nameFinding("registrar", provider, registrars, registration?.onUnknown),
    ...nameFinding("issuer", ssl.issuer, issuers, certificate?.onUnknown),
  ];
}

function nameFinding(
  field: keyof typeof NAMES,
  name: string | null,
  expected: readonly string[] | undefined,
  onUnknown: Bound["onUnknown"],
): Finding[] {
  const { kind, what, list } = NAMES[field];
  const isExpected = expected?.some((one) => isSameName(one, name ?? "")) ?? true;
  if (isExpected) return [];

  const common = { kind, about: "changes", field } as const;
  if (name !== null) {
    const text = `${what} is ${name}: if that is intended, add it to ${list}`;
    // With the name: another unexpected one is new trouble.
    return [finding({ ...common, state: `unexpected ${name}`, text })];
  }

  const text = `${what} is not known, so it cannot be compared with ${list}: see why in the service`;
  const verdict = onUnknown === "warn" ? "warn" : "fail";

  return [finding({ ...common, state: "unknown", text, verdict })];
}
