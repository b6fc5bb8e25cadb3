/** `requireDomainExpiry`: reads a domain, evaluates a rule for its expiry, and enforces it. */
import {
  checkExpiryRule,
  type DomainExpiry,
  type ExpiryRule,
  evaluateDomainExpiry,
  expirySeverity,
} from "../rules/expiry";
import { type Host, requireId, type ServiceFunction } from "./function";

/** Arguments of {@link requireDomainExpiry}. */
export interface RequireDomainExpiryArgs extends ExpiryRule {
  /** Identifier of the domain. */
  id: string;
}

/** The rule says all of its problems at once, so it is checked as a whole. */
export const requireDomainExpiry: ServiceFunction<DomainExpiry> = {
  async run({ id, ...rule }: { id?: unknown }, host) {
    checkExpiryRule(rule);
    const domain = await host.client.domains.get(requireId(id, "id"));
    return enforce(evaluateDomainExpiry(domain, rule), rule, host);
  },
};

/** Warns, fails, or does nothing, as the rule says. */
export async function enforce(
  expiry: DomainExpiry,
  rule: ExpiryRule,
  { warn, failure }: Pick<Host, "warn" | "failure">,
): Promise<DomainExpiry> {
  const severity = expirySeverity(expiry, rule);
  if (severity === "error") throw failure(expiry.message);
  if (severity === "warning") await warn(expiry.message);
  return expiry;
}
