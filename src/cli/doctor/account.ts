/**
 * Asks the service, and writes nothing: whether it would accept an update or a delete is unknown
 * until one is sent.
 */

import type { DomainMonitoringClient } from "../../client/client";
import { mayLackOperation } from "../../client/errors";
import { count, sentences } from "../../common/text";
import { findDomain } from "../../functions/domain-list";
import { LIFECYCLE_KEY } from "../../names";
import { type Failure, outcomeOf } from "../calls";
import { isName } from "../selection";
import type { Diagnoses, Diagnosis } from "./diagnosis";

const MADE_UP = "00000000-0000-4000-8000-000000000000";

/**
 * Checks that the service accepts the token, then that domains can be listed, and channels if they
 * are managed.
 */
export async function checkAccount(
  client: DomainMonitoringClient,
  pathPrefix: string,
  idOrName: string | undefined,
  isManaged: boolean,
): Promise<Diagnoses> {
  const named = idOrName && isName(idOrName) ? await checkName(client, idOrName) : undefined;
  const id = named ? named.id : idOrName;
  const service = await checkService(client, pathPrefix, id);
  if (service.state !== "ok") return { service };

  const list = named ?? (await checkDomainList(client));

  return {
    service,
    "domain list": list,
    channels: isManaged ? await checkChannels(client, id) : undefined,
  };
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
  if (!failure) {
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
  if (failure) return problem(failure, "transport", "timeout");

  return {
    state: "ok",
    text: `readable: ${value.domain} has the id ${value.id}`,
    id: value.id,
  };
}

/** A service without the list of domains is no problem unless a name is to be looked up. */
async function checkDomainList({ domains }: DomainMonitoringClient): Promise<Diagnosis> {
  const { value, failure } = await outcomeOf(domains.list());
  if (!failure) {
    const total = count(value.meta.total, "domain");
    return { state: "ok", text: `readable: ${total}, which can be given by name or by --all` };
  }

  const without =
    "not readable, so pass domains by id, not by name or --all; no Domain can be created";

  return { state: "note", text: `${without}: ${failure.message}` };
}

async function checkChannels(
  { notificationChannels }: DomainMonitoringClient,
  domainId: string | undefined,
): Promise<Diagnosis> {
  if (domainId === undefined) {
    const text =
      "not checked: pass --domain ID to see whether the service has what managed channels need";

    return { state: "note", text };
  }

  const { value, failure } = await outcomeOf(notificationChannels.list(domainId));
  if (!failure) {
    const untested =
      "Whether the token may change and delete them cannot be tested without doing it";

    return { state: "ok", text: `readable: ${count(value.meta.total, "channel")}. ${untested}` };
  }

  const { status, message: text } = failure;
  if (!mayLackOperation(status ?? 0)) return { state: status === 401 ? "fix" : "unclear", text };

  const advice = `If the service has no such operation, run \`pulumi config set ${LIFECYCLE_KEY} create-only\``;

  return { state: "fix", text: sentences([text, advice]) };
}

/**
 * A rate limit or a failure of the service says nothing about what was asked, nor do these kinds of
 * failures.
 */
function problem({ kind, status, message }: Failure, ...unclear: string[]): Diagnosis {
  const isBusy = kind === "http" && (status === 429 || (status ?? 0) >= 500);
  return { state: isBusy || unclear.includes(kind) ? "unclear" : "fix", text: message };
}
