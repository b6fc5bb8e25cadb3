/** Asks the service, and writes nothing: whether an update or a delete would be accepted is not known before there is one. */
import type { DomainMonitoringClient } from "../../client/client";
import { mayLackOperation } from "../../client/errors";
import { count, sentences } from "../../common/text";
import { findDomain } from "../../functions/domain-list";
import { LIFECYCLE_KEY } from "../../names";
import { type Failure, outcomeOf } from "../calls";
import { isName } from "../selection";
import { plain } from "../text";
import type { Check } from ".";

const MADE_UP = "00000000-0000-4000-8000-000000000000";

/**
 * Checks that the service answers and accepts the token, and then its lists.
 * @param domain id or name of a domain
 * @param isManaged whether the stack needs the list of channels
 */
export async function checkAccount(
  client: DomainMonitoringClient,
  baseUrl: string,
  domain: string | undefined,
  isManaged: boolean,
): Promise<Check[]> {
  const named = domain && isName(domain) ? await checkName(client, domain) : undefined;
  const id = named ? named.id : domain;
  const service: Check = { topic: "service", ...(await checkService(client, baseUrl, id)) };
  if (service.state !== "ok") return [service];
  const list: Check = { topic: "domain list", ...(named?.check ?? (await checkDomainList(client))) };
  return [service, list, ...(isManaged ? [{ topic: "channels", ...(await checkChannels(client, id)) }] : [])];
}

type Finding = Omit<Check, "topic">;

/** The interface has no operation for this, so a domain is looked up: a given one, or one that cannot exist. */
async function checkService(
  { domains }: DomainMonitoringClient,
  baseUrl: string,
  domainId: string | undefined,
): Promise<Finding> {
  const { value, failure } = await outcomeOf(domains.get(domainId ?? MADE_UP));
  const isMadeUp = domainId === undefined;
  if (!failure) {
    const name = plain(value.domain);
    const wrong = `returned the domain ${name} for a made-up id: check that the base address is the service's own`;
    const right = `reachable, and the token is accepted: the id is that of ${name}`;
    return isMadeUp ? { state: "fix", text: wrong } : { state: "ok", text: right };
  }
  if (failure.status !== 404)
    return {
      state: isBusy(failure) || failure.kind === "validation" ? "unclear" : "fix",
      text: textOf(failure),
    };
  if (/\/api\/?$/.test(new URL(baseUrl).pathname)) {
    const cause = "answered 404, and the base address ends in /api, so that every call asks /api/api";
    return { state: "fix", text: `${cause}: leave /api out of it` };
  }
  const expected =
    "reachable, and the token is not refused: it answered 404 to a made-up id, as expected. A wrong path in the base address would look the same: give --domain ID to be sure";
  const unknown = `reachable, and the token is not refused, but there is no domain with the id ${plain(domainId ?? "")}: check the id, then the path in the base address`;
  return isMadeUp ? { state: "ok", text: expected } : { state: "fix", text: unknown };
}

/** Looks a name up in the list of domains, which the interface does not show. `id` is undefined if it was not found. */
async function checkName(
  client: DomainMonitoringClient,
  name: string,
): Promise<{ check: Finding; id: string | undefined }> {
  const { value, failure } = await outcomeOf(findDomain(name, client));
  if (!failure) {
    const text = `readable: ${plain(value.domain)} has the id ${plain(value.id)}`;
    return { check: { state: "ok", text }, id: value.id };
  }
  const saysNothing = isBusy(failure) || failure.kind === "transport" || failure.kind === "timeout";
  return { check: { state: saysNothing ? "unclear" : "fix", text: textOf(failure) }, id: undefined };
}

/** A service without the list of domains is no problem unless a name is to be looked up. */
async function checkDomainList({ domains }: DomainMonitoringClient): Promise<Finding> {
  const { value, failure } = await outcomeOf(domains.list());
  const without = "not readable, so domains are given by id, and not by name or --all";
  if (failure) return { state: "note", text: `${without}: ${textOf(failure)}` };
  const total = count(value.meta.total, "domain");
  return { state: "ok", text: `readable: ${total}, which can be given by name or by --all` };
}

async function checkChannels(
  { notificationChannels }: DomainMonitoringClient,
  domainId: string | undefined,
): Promise<Finding> {
  if (domainId === undefined) {
    const text = "not listed: give --domain ID to see whether the service has what managed channels need";
    return { state: "note", text };
  }
  const { value, failure } = await outcomeOf(notificationChannels.list(domainId));
  if (!failure) {
    const untested = "Whether the token may change and delete them cannot be tested without doing it";
    return { state: "ok", text: `readable: ${count(value.meta.total, "channel")}. ${untested}` };
  }
  const lacks = mayLackOperation(failure.status ?? 0);
  const advice = `If the service has no such operation, run \`pulumi config set ${LIFECYCLE_KEY} create-only\``;
  const text = sentences([textOf(failure), ...(lacks ? [advice] : [])]);
  return { state: lacks || failure.status === 401 ? "fix" : "unclear", text };
}

function textOf({ message }: Failure): string {
  return plain(message, 500);
}

/** A rate limit or a failure of the service says nothing about what was asked. */
function isBusy({ kind, status }: Failure): boolean {
  return kind === "http" && (status === 429 || (status ?? 0) >= 500);
}
