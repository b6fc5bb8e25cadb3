/**
 * A managed channel that exists, or is thought to: what a 404 about it means, and at which address
 * it was recorded.
 */

import { mayLackOperation } from "../../client/errors";
import { sentences } from "../../common/text";
import { LIFECYCLE_KEY, MOVED_FROM_KEY } from "../../names";
import { describe, type Properties } from "../boundary";
import type { ChannelContext } from "../create";
import { type Advice, advised, isNotFound } from "../failures";
import { title } from "../messages";
import { declaresAdoption } from "../ownership";
import { channelListOf } from "./channel-list";

export interface Existing extends ChannelContext {
  id: string;

  /** Its record, or its declaration. */
  props: Properties;
  title: string;

  /** Whether it is in the state. */
  isRecorded: boolean;
}

/** @param isRecorded false for a channel that is adopted, imported or only referred to */
export function existing(
  id: string,
  props: Properties,
  context: ChannelContext,
  isRecorded = true,
): Existing {
  return { ...context, id, props, title: title(props, id), isRecorded };
}

export const SET_CREATE_ONLY: Advice = (status) =>
  mayLackOperation(status)
    ? `lifecycle "managed" (an input, an argument of Provider or stack config ${LIFECYCLE_KEY}) needs a service that lists, ` +
      'reads, changes and deletes channels: set it to "create-only" if this one does not'
    : undefined;

/** Advice about a channel that is imported, or only referred to. */
const BY_ID_ALONE: Advice = (status) =>
  mayLackOperation(status)
    ? "A service may lack the operations that read channels: refer to it by the channel's id alone"
    : undefined;

/** Advice about a channel, or the list of its domain, that cannot be read. */
export function unreadableAdvice({ isRecorded, props }: Existing): Advice {
  return isRecorded || declaresAdoption(props) ? SET_CREATE_ONLY : BY_ID_ALONE;
}

/**
 * Whether an error means that a channel is gone. A wrong path in the base address gets 404 for
 * everything, and another account's token for everything of this one, so the list of the channel's
 * domain has to show it. A domain that is gone itself has no list, and proves nothing.
 * @throws Error if that is not clear
 */
export async function isGone(error: unknown, problem: string, channel: Existing): Promise<boolean> {
  if (!isNotFound(error)) return false;

  const { id, props, connection } = channel;
  const isListed = await channelListOf(props, connection)
    .has(id)
    .catch((listError) => {
      throw withoutList(problem, listError, channel);
    });

  if (isListed)
    throw new Error(`${problem}: got 404, but the domain's list still has it: try again`);

  return true;
}

/**
 * The command to run after `abandonCommand`. Not `pulumi up` in a destroy, because that would
 * create again what has been destroyed already.
 */
const TO_LET_GO = "`pulumi up`, or in a destroy `pulumi destroy --run-program`";

const TO_DROP = "`pulumi refresh --run-program`, which drops it from the state";

function withoutList(problem: string, listError: unknown, channel: Existing): Error {
  const { id, connection, isRecorded } = channel;
  const unreadable = `the list of its domain, which would prove that it is gone, cannot be read (${describe(listError)})`;
  const fix = isRecorded
    ? `Correct the base address or the token, or if it was removed in the service, run \`${connection.abandonCommand(id)}\` and ${TO_DROP}`
    : "Correct its domainId, the base address or the token";

  return new Error(
    sentences([
      `${problem}: got 404, but ${unreadable}`,
      fix,
      ...advised(listError, [unreadableAdvice(channel)]),
    ]),
  );
}

/**
 * Refuses to read, change or delete what was recorded at another address: a copy of the service may
 * have something else with the same id.
 * @throws Error if the record tells of another address
 */
export function refuseElsewhere(
  problem: string,
  record: Properties,
  { connection }: ChannelContext,
): void {
  if (!connection.isElsewhere(record)) return;

  throw new Error(
    `${problem}: it was recorded at another base address. Correct the address. If the service has moved, run ` +
      `\`pulumi config set ${MOVED_FROM_KEY} EARLIER_ADDRESS\`, then \`pulumi refresh --run-program\`, which records the new one`,
  );
}

/** Advice about a delete that is refused. */
export function lettingGo({ id, connection }: Existing): Advice {
  return (status) =>
    status === 401 || status === 429
      ? undefined
      : `To drop it from the state without deleting it, run \`${connection.abandonCommand(id)}\` and ${TO_LET_GO}`;
}
