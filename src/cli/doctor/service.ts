/**
 * What the service answers. Nothing is written: what an update or a delete would be answered is not known before there is
 * one.
 */
import type { DomainMonitoringClient } from "../../client/client";
import { mayLackOperation } from "../../client/errors";
import { count, sentences } from "../../common/text";
import { findDomain } from "../../functions/domain-list";
import { LIFECYCLE_KEY } from "../../names";
import { type Failure, outcomeOf } from "../calls";
import { plain } from "../text";
import { about, type Check } from "./check";

const MADE_UP = "00000000-0000-4000-8000-000000000000";
const MAX_LENGTH = 500;

/**
 * Checks that the service is reachable and accepts the token. The interface has no operation for that, so a domain is looked
 * up: a given one, or one that cannot exist, for which 404 is the expected answer.
 */
export async function checkService(
  { domains }: DomainMonitoringClient,
  domainId: string | undefined,
): Promise<Check> {
  const { ok, fix, unclear } = about("service");
  const { value, failure } = await outcomeOf(domains.get(domainId ?? MADE_UP));
  if (!failure) {
    const name = plain(value.domain);
    return domainId === undefined
      ? fix(`returned the domain ${name} for a made-up id: check that the base address is the service's own`)
      : ok(`reachable, and the token is accepted: the id is that of ${name}`);
  }
  if (failure.status === 404)
    return domainId === undefined
      ? ok(
          "reachable, and the token is not refused: it answered 404 to a made-up id, as expected. A wrong path in the base address would look the same: give --domain ID to be sure",
        )
      : fix(
          `reachable, and the token is not refused, but there is no domain with the id ${plain(domainId)}: check the id, then the path in the base address`,
        );
  const text = plain(failure.message, MAX_LENGTH);
  return isBusy(failure) || failure.kind === "validation" ? unclear(text) : fix(text);
}

/** Looks a name up in the list of domains, which the interface does not show. `id` is undefined if it was not found. */
export async function checkName(
  client: DomainMonitoringClient,
  name: string,
): Promise<{ check: Check; id: string | undefined }> {
  const { ok, fix, unclear } = about("domain list");
  const { value, failure } = await outcomeOf(findDomain(name, client));
  if (!failure)
    return { check: ok(`readable: ${plain(value.domain)} has the id ${plain(value.id)}`), id: value.id };
  const text = plain(failure.message, MAX_LENGTH);
  const saysNothing = isBusy(failure) || failure.kind === "transport" || failure.kind === "timeout";
  return { check: saysNothing ? unclear(text) : fix(text), id: undefined };
}

/** Reads the first page of the list of domains. A service without it is no problem unless a name is to be looked up. */
export async function checkDomainList({ domains }: DomainMonitoringClient): Promise<Check> {
  const { ok, note } = about("domain list");
  const { value, failure } = await outcomeOf(domains.list());
  return failure
    ? note(
        `not readable, so domains are given by id, and not by name or --all: ${plain(failure.message, MAX_LENGTH)}`,
      )
    : ok(`readable: ${count(value.meta.total, "domain")}, which can be given by name or by --all`);
}

/** Reads the first page of a domain's channels, which managed channels need. */
export async function checkChannels(
  { notificationChannels }: DomainMonitoringClient,
  domainId: string | undefined,
): Promise<Check> {
  const { ok, fix, unclear, note } = about("channels");
  if (domainId === undefined)
    return note("not listed: give --domain ID to see whether the service has what managed channels need");
  const { value, failure } = await outcomeOf(notificationChannels.list(domainId));
  if (!failure)
    return ok(
      `readable: ${count(value.meta.total, "channel")}. Whether the token may change and delete them cannot be tested without doing it`,
    );
  const lacks = mayLackOperation(failure.status ?? 0);
  const advice = `If the service has no such operation, run \`pulumi config set ${LIFECYCLE_KEY} create-only\``;
  const text = sentences([plain(failure.message, MAX_LENGTH), ...(lacks ? [advice] : [])]);
  return lacks || failure.status === 401 ? fix(text) : unclear(text);
}

/** A rate limit or a failure of the service says nothing about what was asked. */
function isBusy({ kind, status }: Failure): boolean {
  return kind === "http" && (status === 429 || (status ?? 0) >= 500);
}
