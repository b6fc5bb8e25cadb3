/**
 * Checks the lifecycle of the stack's channels, and whether the service lists channels, which managed ones need. Nothing is
 * written: what an update or a delete would be answered is not known before there is one.
 */

import { DomainMonitoringClient } from "../../client/client";
import { DomainMonitoringError, mayLackOperation } from "../../client/errors";
import { count, sentences } from "../../common/text";
import { type Configuration, resolveLifecycle } from "../../config";
import { LIFECYCLE_KEY, type Lifecycle } from "../../names";
import type { StackConfig } from "../stack";

import { plain } from "../text";

import type { Check } from "./check";

/** The check, and the lifecycle where it is known. */
export interface LifecycleReading {
  check: Check;
  lifecycle: Lifecycle | undefined;
}

/** @param config undefined if it could not be read */
export function checkLifecycle(config: StackConfig | undefined): LifecycleReading {
  const reading = (state: Check["state"], text: string, lifecycle?: Lifecycle): LifecycleReading => ({
    check: { state, topic: "lifecycle", text },
    lifecycle,
  });
  if (!config) return reading("note", `not known, as stack config ${LIFECYCLE_KEY} was not read`);
  const entry = config.get(LIFECYCLE_KEY);
  if (entry?.secret) return reading("note", `a secret in stack config ${LIFECYCLE_KEY}, not read`);
  try {
    const value = entry?.value;
    const lifecycle = resolveLifecycle({
      stackConfig: () => (value === undefined ? undefined : { value, plaintext: true }),
    });
    return reading(
      "ok",
      `${lifecycle}, ${value ? `from stack config ${LIFECYCLE_KEY}` : "the default"}`,
      lifecycle,
    );
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return reading("fix", error.message);
  }
}

/** Reads the first page of a domain's channels. */
export async function checkChannels(
  configuration: Configuration,
  domainId: string | undefined,
): Promise<Check> {
  const topic = "channels";
  if (domainId === undefined) {
    const text = "not listed: give --domain ID to see whether the service has what managed channels need";
    return { state: "note", topic, text };
  }
  const client = new DomainMonitoringClient({ ...configuration, maxRetries: 1 });
  try {
    const { total } = (await client.notificationChannels.list(domainId)).meta;
    const text = `readable: ${count(total, "channel")}. Whether the token may change and delete them cannot be tested without doing it`;
    return { state: "ok", topic, text };
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return conclude(error);
  } finally {
    await client.close();
  }

  function conclude({ status = 0, message }: DomainMonitoringError): Check {
    const lacks = mayLackOperation(status);
    const fix = `If the service has no such operation, run \`pulumi config set ${LIFECYCLE_KEY} create-only\``;
    const text = sentences([plain(message, 500), ...(lacks ? [fix] : [])]);
    return { state: lacks || status === 401 ? "fix" : "unclear", topic, text };
  }
}
