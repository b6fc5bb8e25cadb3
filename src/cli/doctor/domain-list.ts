/**
 * Checks whether the service lists its domains, which names and `--all` need. The interface shows no such list, so a service
 * without it is no problem, unless a name is to be looked up.
 */

import { DomainMonitoringClient } from "../../client/client";
import { DomainMonitoringError } from "../../client/errors";
import { count } from "../../common/text";
import type { Configuration } from "../../config";
import { findDomain } from "../../functions/domain-list";

import { plain } from "../text";

import type { Check } from "./check";

/** The check, and the id of the domain that was looked up. */
export interface ListReading {
  check: Check;
  id?: string;
}

const topic = "domain list";

/** @param name a domain to look up; without one, only the first page is read */
export async function checkDomainList(
  configuration: Configuration,
  name: string | undefined,
): Promise<ListReading> {
  const client = new DomainMonitoringClient({ ...configuration, maxRetries: 1 });
  try {
    if (name !== undefined) {
      const { id, domain } = await findDomain(name, client);
      return {
        check: { state: "ok", topic, text: `readable: ${plain(domain)} has the id ${plain(id)}` },
        id,
      };
    }
    const { total } = (await client.domains.list()).meta;
    const text = `readable: ${count(total, "domain")}, which can be given by name or by --all`;
    return { check: { state: "ok", topic, text } };
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    const message = plain(error.message, 500);
    if (name !== undefined) return { check: { state: stateOf(error), topic, text: message } };
    const text = `not readable, so domains are given by id, and not by name or --all: ${message}`;
    return { check: { state: "note", topic, text } };
  } finally {
    await client.close();
  }
}

/** A rate limit, a failure of the service or a time-out says nothing about the name. */
function stateOf({ kind, status = 0 }: DomainMonitoringError): Check["state"] {
  const isAnswered = kind === "http" && status < 500 && status !== 429;
  return isAnswered || kind === "response" || kind === "validation" ? "fix" : "unclear";
}
