/**
 * Asks the service, and writes nothing: whether it would accept an update or a delete is unknown
 * until one is sent.
 */

import type { DomainMonitoringClient } from "../../client/client";
import { count } from "../../common/text";
import { findDomain } from "../../functions/domain-list";
import { type Failure, outcomeOf } from "../calls";
import { isName } from "../selection";
import type { Diagnoses, Diagnosis } from "./project";

const MADE_UP = "00000000-0000-4000-8000-000000000000";

/** Checks that the service accepts the token, then that domains can be listed. */
export async function checkAccount(
  client: DomainMonitoringClient,
  pathPrefix: string,
  idOrName: string | undefined,
): Promise<Diagnoses> {
  const named = idOrName && isName(idOrName) ? await checkName(client, idOrName) : undefined;
  const id = named ? named.id : idOrName;
  const service = await checkService(client, pathPrefix, id);
  if (service.state !== "ok") return { service };

  return { service, "domain list": named ?? (await checkDomainList(client)) };
}

/**
 * The interface has no operation for this, so a domain is looked up: the given one, or a made-up
 * one.
 */
async function checkService(
  { domains }: DomainMonitoringClient,
  pathPrefix: string,
  id: string | undefined,
): Promise<Diagnosis> {
  const { value, failure } = await outcomeOf(domains.get(id ?? MADE_UP));
  const reached = "reachable, and the token was not rejected";
  if (value) {
    const { domain } = value;
    const text = `returned the domain ${domain} for a made-up id: check that the base address is the service's own`;
    if (id === undefined) return { state: "fix", text };

    return {
      state: "ok",
      text: `reachable, and the token is accepted: the id belongs to ${domain}`,
    };
  }

  // The client explains the 404 of a base address that ends in /api.
  if (failure.status !== 404 || /\/api$/.test(pathPrefix)) return problem(failure, "validation");

  if (id !== undefined) {
    const advice = "check the id, then the path in the base address";

    return {
      state: "fix",
      text: `${reached}, but there is no domain with the id ${id}: ${advice}`,
    };
  }

  const text = `${reached} (404 for a made-up id, as expected). A wrong path in the base address would look the same: pass --domain ID to be sure`;

  return { state: "ok", text };
}

/** Looks a name up in the list of domains. `id` is undefined if it was not found. */
async function checkName(
  client: DomainMonitoringClient,
  name: string,
): Promise<Diagnosis & { id?: string }> {
  const { value, failure } = await outcomeOf(findDomain(name, client));
  if (!value) return problem(failure, "transport", "timeout");

  return {
    state: "ok",
    text: `readable: ${value.domain} has the id ${value.id}`,
    id: value.id,
  };
}

/** A service without the list of domains is no problem unless a name is to be looked up. */
async function checkDomainList({ domains }: DomainMonitoringClient): Promise<Diagnosis> {
  const { value, failure } = await outcomeOf(domains.list());
  if (value) {
    const total = count(value.meta.total, "domain");
    return { state: "ok", text: `readable: ${total}, which can be given by name or by --all` };
  }

  const without =
    "not readable, so pass domains by id, not by name or --all; no Domain can be created";

  return { state: "note", text: `${without}: ${failure.message}` };
}

/**
 * A rate limit or a failure of the service says nothing about what was asked, nor do these kinds of
 * failures.
 */
function problem({ kind, status, message }: Failure, ...unclear: string[]): Diagnosis {
  const isBusy = kind === "http" && (status === 429 || (status ?? 0) >= 500);
  return { state: isBusy || unclear.includes(kind) ? "unclear" : "fix", text: message };
}
