/** Asks for a domain and evaluates a rule for its expiry; what follows from the result is up to whoever asks. */
import type { DomainMonitoringClient } from "../client/client";
import { checkExpiryRule, type DomainExpiry, type ExpiryRule, evaluateDomainExpiry } from "../rules/expiry";

/** Arguments of {@link requireDomainExpiry}. */
export interface RequireDomainExpiryArgs extends ExpiryRule {
  /** Identifier of the domain. */
  id: string;
}

/** The expiry of a domain under a rule. @throws DomainMonitoringError if it cannot be read or the rule is not valid */
export async function fetchDomainExpiry(
  { id, ...rule }: RequireDomainExpiryArgs,
  client: DomainMonitoringClient,
): Promise<DomainExpiry> {
  checkExpiryRule(rule);
  return evaluateDomainExpiry(await client.domains.get(id), rule);
}
