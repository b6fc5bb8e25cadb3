/**
 * Checks that the service is reachable and accepts the token. The interface has no operation for that, so a domain is looked
 * up: a given one, or one that cannot exist, for which 404 is the expected answer.
 */
import { DomainMonitoringClient } from "../../client/client";
import { DomainMonitoringError } from "../../client/errors";
import type { Configuration } from "../../config";
import { plain } from "../text";
import type { Check } from "./check";

const MADE_UP = "00000000-0000-4000-8000-000000000000";
const TOPIC = "service";

/** Retries only once: doctor should report a failure rather than hide it. */
export async function checkService(
  configuration: Configuration | undefined,
  domainId: string | undefined,
): Promise<Check> {
  if (!configuration) {
    const text = "not checked: this needs a base address and a token";
    return { state: "unclear", topic: TOPIC, text };
  }
  const client = new DomainMonitoringClient({ ...configuration, maxRetries: 1 });
  try {
    const { domain } = await client.domains.get(domainId ?? MADE_UP);
    return found(plain(domain), domainId);
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return conclude(error, domainId);
  } finally {
    await client.close();
  }
}

function found(name: string, domainId: string | undefined): Check {
  if (domainId === undefined) {
    const text = `returned the domain ${name} for a made-up id: check that the base address is the service's own`;
    return { state: "fix", topic: TOPIC, text };
  }
  return {
    state: "ok",
    topic: TOPIC,
    text: `reachable, and the token is accepted: the id is that of ${name}`,
  };
}

function conclude(error: DomainMonitoringError, domainId: string | undefined): Check {
  const { kind, status, message } = error;
  if (kind !== "http") {
    const state = kind === "aborted" || kind === "validation" ? "unclear" : "fix";
    return { state, topic: TOPIC, text: plain(message, 500) };
  }
  if (status === 404 && domainId === undefined) {
    const text =
      "reachable, and the token is not refused: it answered 404 to a made-up id, as expected. A wrong path in the base address would look the same: give --domain ID to be sure";
    return { state: "ok", topic: TOPIC, text };
  }
  if (status === 404) {
    const text = `reachable, and the token is not refused, but there is no domain with the id ${plain(domainId ?? "")}: check the id, then the path in the base address`;
    return { state: "fix", topic: TOPIC, text };
  }
  // A rate limit or a failure of the service says nothing about the settings.
  const busy = status === 429 || (status ?? 0) >= 500;
  return { state: busy ? "unclear" : "fix", topic: TOPIC, text: plain(message, 500) };
}
