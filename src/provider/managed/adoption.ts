/**
 * Adoption of channels that exist: `adopt` in place of a create, and the explanation of a create
 * whose outcome is unclear, which names the channels to adopt. Nothing here creates a channel.
 */

import { DomainMonitoringError } from "../../client/errors";
import { isUuid } from "../../client/rules";
import type { NotificationChannelData } from "../../client/types";
import { sentences } from "../../common/text";
import type { Properties } from "../boundary";
import { failure, isGone, maybeSent } from "../existing";
import { title, toChannel } from "../record";
import {
  confirmed,
  existing,
  isSameId,
  type ManagedContext,
  SET_CREATE_ONLY,
  UPDATABLE,
} from "./operations";
import { toUpdate, write } from "./update";

export const REPLACED =
  "adopt names the channel that is to be replaced: remove adopt, so that another one is created";

export const ADOPTED_TWICE =
  "another resource of this program has that channel, or adopts it too: remove one of the two";

const DUPLICATE =
  "If it is to replace a channel like it and the service refuses a second one, set deleteBeforeReplace in its options";

/**
 * The error of a create with what the service lists, if it is not clear whether a channel was
 * created.
 */
export async function explainCreate(
  error: unknown,
  inputs: Properties,
  since: number,
  context: ManagedContext,
) {
  const { run, call } = context;
  const isRefused = error instanceof DomainMonitoringError && error.status === 422;
  if (isRefused && run.replacedBy(inputs) !== undefined)
    return new Error(sentences([error.message, DUPLICATE]));

  if (!maybeSent(error)) return error;

  try {
    const found = await run.list(inputs).createdSince(since, toChannel(inputs), call);
    const lines = adoptable(found, context);
    const listed =
      lines !== ""
        ? `The service lists a channel that may be this one: to adopt it instead of creating another one, declare ${lines}`
        : "The service lists no such channel now";

    return new Error(sentences([error.message, listed]));
  } catch {
    return error;
  }
}

/**
 * Warns of a channel like one that is to be created: an update that was killed records nothing.
 * @param listed channels of its domain
 */
export function warnOfTwin(
  inputs: Properties,
  listed: readonly NotificationChannelData[],
  context: ManagedContext,
): void {
  const { label, type } = toChannel(inputs);
  const lines = adoptable(
    listed.filter((channel) => channel.label === label && channel.type === type),
    context,
  );

  if (lines === "") return;

  context.warn(
    `${title(inputs)} is created, although the service already has one with this label and type that belongs to no resource seen in ` +
      `this run. If an interrupted update left it behind, remove one of the two, or declare ${lines}`,
  );
}

/**
 * The input that takes one of these channels over. Another resource may declare the same label and
 * type.
 */
function adoptable(channels: readonly NotificationChannelData[], { run }: ManagedContext): string {
  return channels
    .filter(({ id }) => isUuid(id) && !run.held.has(id))
    .slice(0, 3)
    .map(({ id, createdAt }) => `adopt: "${id}" (created ${createdAt})`)
    .join(" or ");
}

/**
 * Takes an existing channel over: checks what it is, and sets all that is declared, as its
 * destination cannot be compared.
 */
export async function adopt(inputs: Properties, context: ManagedContext) {
  const { account, connection, run, call } = context;
  const id = String(inputs.adopt);
  const domainId = String(inputs.domainId);
  const problem = `${title(inputs, id)} is not taken over`;
  if (isSameId(run.replacedBy(inputs), id)) throw new Error(`${title(inputs, id)}: ${REPLACED}`);
  if (!run.noteAdopter(id, inputs)) throw new Error(`${problem}: ${ADOPTED_TWICE}`);

  run.held.add(id);
  run.adopted.add(id);
  try {
    const { type } = toChannel(inputs);
    const found = await connection.client.notificationChannels.get(domainId, id, call);
    if (found.type !== type)
      throw new Error(`in the service it is of type ${found.type}: declare that`);

    if (found.isProtected)
      throw new Error(
        "the service protects it, so it could not be changed or deleted: remove it from the program",
      );

    const evidence = await account.evidence(domainId, {}, call);
    const written = await write(domainId, id, toUpdate(inputs, UPDATABLE), context);

    run.list(inputs).outdate();

    return { id, outs: { ...confirmed(inputs, written, context), ...evidence } };
  } catch (error) {
    run.adopted.release(id);
    // It is in no state yet, so the domain's list is enough.
    if (await isGone(error, problem, { ...existing(id, inputs, context), isRecorded: false }))
      throw new Error(
        `${problem}: the service has no such channel: correct adopt, or remove it, so that a channel is created`,
      );

    throw failure(problem, error, SET_CREATE_ONLY);
  }
}
