/** `requireDomainExpiry`: reads a domain, evaluates a rule for its expiry, and enforces it. */
import { type DomainExpiry, evaluateDomainExpiry } from "../rules/expiry";
import { checkExpiryRule, type ExpiryRule } from "../rules/expiry-rule";
import {
  BY_ID_OR_NAME,
  domainOf,
  type GetDomainByIdArgs,
  type GetDomainByNameArgs,
} from "./domains";
import { type Host, parsed, type ServiceFunction } from "./function";

/** A rule for the domain with this identifier. */
export interface RequireDomainExpiryByIdArgs extends ExpiryRule, GetDomainByIdArgs {}

/** A rule for the domain with this name. @experimental as in `getDomain` */
export interface RequireDomainExpiryByNameArgs extends ExpiryRule, GetDomainByNameArgs {}

/** Arguments of {@link requireDomainExpiry}: the rule, and exactly one of `id` and `domain`. */
export type RequireDomainExpiryArgs = RequireDomainExpiryByIdArgs | RequireDomainExpiryByNameArgs;

/** Result of evaluating a rule. */
export interface RequireDomainExpiryResult extends DomainExpiry {
  /**
   * Identifier of the domain. A channel that takes its `domainId` from here is not created if the
   * rule fails.
   */
  domainId: string;
}

/** The rule says all of its problems at once, so it is checked as a whole. */
export const requireDomainExpiry: ServiceFunction<
  RequireDomainExpiryArgs,
  RequireDomainExpiryResult
> = {
  name: "requireDomainExpiry",
  async run({ id, domain, ...rule }: { id?: unknown; domain?: unknown }, host) {
    checkExpiryRule(rule);
    const wanted = parsed({ id, domain }, BY_ID_OR_NAME);
    const found = await domainOf("requireDomainExpiry", wanted, host);
    const expiry = await enforce(evaluateDomainExpiry(found, rule), host);

    return { domainId: found.id, ...expiry };
  },
};

/** Warns, fails, or does nothing, as the rule says. */
export async function enforce(
  expiry: DomainExpiry,
  { warn, failure }: Pick<Host, "warn" | "failure">,
): Promise<DomainExpiry> {
  if (expiry.verdict === "fail") throw failure(expiry.message);
  if (expiry.verdict === "warn") await warn(expiry.message);

  return expiry;
}
