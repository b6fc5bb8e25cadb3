/**
 * Adoption of channels that exist: `adopt` in place of a create, and the explanation of a create
 * whose outcome is unclear, which names the channels to adopt. Nothing here creates a channel.
 */

import { isUuid } from "../../client/rules";
import type { NotificationChannelData } from "../../client/types";
import { sentences } from "../../common/text";
import { hasUnknown, type Properties } from "../boundary";
import type { Before, ChannelContext } from "../create";
import { failedWith, maybeSent } from "../failures";
import { channelKeepers, resourceOf } from "../keepers";
import { announce, fateOf, tell, title } from "../messages";
import { takeOverAdvice } from "../ownership";
import { toChannel } from "../record";
import { alike, channelListOf, listedBefore } from "./channel-list";
import { existing, isGone, SET_CREATE_ONLY } from "./existing";
import { confirmed, UPDATABLE } from "./operations";
import { toUpdate, write } from "./update";

export const REPLACED =
  "adopt names the channel that this update replaces: remove adopt, so that another one is created";

export const TAKEN_OVER = "is taken over";

/**
 * The error of a create with what the service lists, if it is not clear whether a channel was
 * created.
 */
export async function explainCreate(
  error: unknown,
  inputs: Properties,
  { isListed }: Before,
  context: ChannelContext,
): Promise<unknown> {
  if (!maybeSent(error)) return error;

  try {
    const found = await channelListOf(inputs, context.connection).alike(toChannel(inputs));
    const added = found.filter(({ id }) => !isListed(id));
    const lines = adoptable(inputs, added, context);
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
 * Warns if the service lists a channel like the one to be created: one that a program had referred
 * to, that a resource of another name has, or that an interrupted update left behind. A list that
 * cannot be read is reported by the create.
 */
export async function warnOfTwin(inputs: Properties, context: ChannelContext): Promise<void> {
  const { domainId } = inputs;
  if (hasUnknown([domainId, inputs.label, inputs.type])) return;

  const channels = await listedBefore(inputs, context.connection);
  const lines = adoptable(inputs, alike(channels, toChannel(inputs)), context);
  if (lines === "") return;

  announce(
    context,
    `${title(inputs)} is created, although the service already has a channel with this label and type. If no resource has it, take it ` +
      `over instead: ${lines}`,
    "Other channels are created as well, although the service already has channels with their labels and types",
    "The update deletes it at the end if a resource that it removes or renames has it: to rename one, use the option aliases",
  );
}

/** How to take over one of these channels. Another resource may declare the same label and type. */
function adoptable(
  { domainId }: Properties,
  channels: readonly NotificationChannelData[],
  { connection, urn }: ChannelContext,
): string {
  const keepers = channelKeepers(connection);

  return channels
    .filter(({ id }) => isUuid(id) && !keepers.has(id))
    .slice(0, 3)
    .map(({ id, createdAt }) => `${takeOverAdvice(domainId, id, urn)} (created ${createdAt})`)
    .join(" or ");
}

/**
 * Takes an existing channel over: checks what it is, and sets all that is declared, because its
 * destination cannot be compared.
 */
export async function adopt(inputs: Properties, context: ChannelContext) {
  const { connection, call, redact, urn } = context;
  const id = String(inputs.adopt);
  const domainId = String(inputs.domainId);
  const problem = `${title(inputs, id)} is not taken over`;
  const resource = resourceOf(inputs, urn);
  // It keeps the channel even if this fails: nothing else may delete what the program declares.
  const keepers = channelKeepers(connection);
  keepers.dropRecorded(resource);
  keepers.note(id, resource, "taken");
  const rivalry = keepers.rivalry(id, resource, () => problem);
  if (rivalry !== undefined) throw new Error(rivalry.message);

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
    tell(context, fateOf(inputs, id, TAKEN_OVER, redact));

    return { id, outs: { ...confirmed(inputs, written, context), addressDigest } };
  } catch (error) {
    // It is in no state yet, so the domain's list is enough.
    if (await isGone(error, problem, existing(id, inputs, context, false)))
      throw new Error(
        `${problem}: the service has no such channel: correct adopt, or remove it, so that a channel is created`,
      );

    throw failedWith(problem, error, SET_CREATE_ONLY);
  }
}
