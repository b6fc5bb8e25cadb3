/**
 * Adoption of channels that exist: `adopt` in place of a create, and the explanation of a create
 * whose outcome is unclear, which names the channels to adopt. Nothing here creates a channel.
 */

import { DomainMonitoringError } from "../../client/errors";
import { isUuid } from "../../client/rules";
import type { NotificationChannelData } from "../../client/types";
import { sentences } from "../../common/text";
import type { Properties } from "../boundary";
import { type ChannelContext, takeOver } from "../create";
import { failure, maybeSent } from "../failures";
import { channelKeepers, keptByTwo, resourceOf } from "../keepers";
import { title, toChannel } from "../record";
import { channelListOf } from "./channel-list";
import { existing, isGone, SET_CREATE_ONLY } from "./existing";
import { confirmed, UPDATABLE } from "./operations";
import { toUpdate, write } from "./update";

type Channels = readonly NotificationChannelData[];

export const REPLACED =
  "adopt names the channel that is to be replaced: remove adopt, so that another one is created";

const DUPLICATE =
  "The service already lists a channel with this label and type: if this one replaces it, set deleteBeforeReplace in the " +
  "resource options";

/**
 * The error of a create with what the service lists, if it is not clear whether a channel was
 * created.
 * @param before channels that were listed before the request
 */
export async function explainCreate(
  error: unknown,
  inputs: Properties,
  before: Channels,
  context: ChannelContext,
) {
  const isRefused = error instanceof DomainMonitoringError && error.status === 422;
  if (isRefused && alike(inputs, before).length > 0)
    return new Error(sentences([error.message, DUPLICATE]));

  if (!maybeSent(error)) return error;

  try {
    const list = channelListOf(inputs, context.connection);
    const found = await list.added(before, toChannel(inputs));
    const lines = adoptable(inputs, found, context);
    const listed =
      lines !== ""
        ? `The service lists a channel that may be this one: to take it over instead of creating another one, ${lines}`
        : "The service lists no such channel now";

    return new Error(sentences([error.message, listed]));
  } catch {
    return error;
  }
}

/**
 * Warns if a channel like the new one exists: an update that was killed records nothing.
 * @param listed channels of its domain
 */
export function warnOfTwin(inputs: Properties, listed: Channels, context: ChannelContext): void {
  const lines = adoptable(inputs, alike(inputs, listed), context);
  if (lines === "") return;

  const { connection, warn } = context;
  const line = `${title(inputs)} is created, although the service already has one with this label and type that no resource declares`;

  warn(
    sentences([
      line,
      ...connection.explained(
        "If it is of a resource that this update removes or renames, it is deleted at the end: the option aliases keeps a renamed one",
      ),
      `If an interrupted update left it behind, remove one of the two, or ${lines}`,
    ]),
  );
}

function alike(inputs: Properties, channels: Channels): Channels {
  const { label, type } = toChannel(inputs);
  return channels.filter((channel) => channel.label === label && channel.type === type);
}

/** How to take over one of these channels. Another resource may declare the same label and type. */
function adoptable(
  { domainId }: Properties,
  channels: Channels,
  { connection, urn }: ChannelContext,
): string {
  const keepers = channelKeepers(connection);

  return channels
    .filter(({ id }) => isUuid(id) && !keepers.isKnown(id))
    .slice(0, 3)
    .map(({ id, createdAt }) => `${takeOver(domainId, id, urn)} (created ${createdAt})`)
    .join(" or ");
}

/**
 * Takes an existing channel over: checks what it is, and sets all that is declared, because its
 * destination cannot be compared.
 */
export async function adopt(inputs: Properties, context: ChannelContext) {
  const { connection, call, urn } = context;
  const id = String(inputs.adopt);
  const domainId = String(inputs.domainId);
  const problem = `${title(inputs, id)} is not taken over`;
  // It keeps the channel even if this fails: nothing else may delete what the program declares.
  const other = channelKeepers(connection).take(id, resourceOf(inputs, urn));
  if (other !== undefined) throw new Error(keptByTwo(problem, other));

  try {
    const { type } = toChannel(inputs);
    const found = await connection.client.notificationChannels.get(domainId, id, call);
    if (found.type !== type)
      throw new Error(`in the service it is of type ${found.type}: declare that`);

    if (found.isProtected)
      throw new Error(
        "the service protects it, so it could not be changed or deleted: remove it from the program",
      );

    const written = await write(domainId, id, toUpdate(inputs, UPDATABLE), context);
    const { addressDigest } = connection;

    return { id, outs: { ...confirmed(inputs, written, context), addressDigest } };
  } catch (error) {
    // It is in no state yet, so the domain's list is enough.
    if (await isGone(error, problem, existing(id, inputs, context, false)))
      throw new Error(
        `${problem}: the service has no such channel: correct adopt, or remove it, so that a channel is created`,
      );

    throw failure(problem, error, SET_CREATE_ONLY);
  }
}
