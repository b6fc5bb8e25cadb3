/** Enforces an expiry rule in a program: it warns or ends the program, in previews too. */
import * as pulumi from "@pulumi/pulumi";
import type { DomainMonitoringClient } from "../client/client";
import { fetchDomainExpiry, type RequireDomainExpiryArgs } from "../queries/expiry";
import { type DomainExpiry, type ExpiryRule, expirySeverity } from "../rules/expiry";
import { endProgram } from "./end-program";
import type { FunctionOptions, OutputFunctionOptions } from "./function-options";
import { call, callOutput, type InputsOf } from "./internal/invoke";

/** An {@link ExpiryRule} whose members may be outputs. */
export type ExpiryRuleArgs = InputsOf<ExpiryRule>;

/** Arguments of {@link requireDomainExpiryOutput}. */
export type RequireDomainExpiryOutputArgs = InputsOf<RequireDomainExpiryArgs>;

/**
 * Reads a domain and evaluates a rule. A domain that breaks the rule causes a warning or ends the program with one line,
 * as the rule says; with an override in effect it is a warning. Returns the result otherwise.
 * @throws RunError if the domain breaks the rule; DomainMonitoringError if the domain cannot be read or the rule is not valid
 */
export function requireDomainExpiry(
  args: RequireDomainExpiryArgs,
  opts?: FunctionOptions,
): Promise<DomainExpiry> {
  return call((client) => evaluate(args, client), opts);
}

/** The same for arguments that may be outputs; while they are unknown in a preview, no request is made. */
export function requireDomainExpiryOutput(
  args: RequireDomainExpiryOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<DomainExpiry> {
  return callOutput(args, evaluate, opts);
}

async function evaluate(
  args: RequireDomainExpiryArgs,
  client: DomainMonitoringClient,
): Promise<DomainExpiry> {
  return enforce(await fetchDomainExpiry(args, client), args);
}

/** Warns, ends the program, or does nothing, as the rule says. */
export async function enforce(
  expiry: DomainExpiry,
  rule: ExpiryRule,
  resource?: pulumi.Resource,
): Promise<DomainExpiry> {
  const severity = expirySeverity(expiry, rule);
  if (severity === "error") throw endProgram(expiry.message);
  if (severity === "warning") await pulumi.log.warn(expiry.message, resource);
  return expiry;
}
