/**
 * The undocumented operations on channels, ready to send. Sources of what is known of them:
 * docs/managed-channels.md. GET, PATCH and DELETE have the same effect once or twice, so all are repeated like reads.
 */

import { changeProblems, destinationsOf } from "../channel-rules";
import type { ListChannelsRequest, NotificationChannelData, Page, UpdateNotificationChannel } from "../types";
import { loadSchemas } from "./http";
import { channelSegment, channelsPath, encodeChannel, type Operation, pageQuery, refuse } from "./operation";

/** Reason for a 405 to an undocumented operation. */
export const NO_OPERATION =
  "the service does not have this undocumented operation: use the service's own settings";

/** Reasons for a refusal of an undocumented operation, by status. */
const MEANINGS: Record<number, string> = {
  403: "the API token lacks a permission, or the channel is protected: use a token with the required scope",
  404:
    "not found: check the ids of domain and channel and the base address. A service without this undocumented " +
    "operation answers the same",
  405: NO_OPERATION,
};

export function listChannels(
  domainId: string,
  { page }: ListChannelsRequest,
): Operation<Page<NotificationChannelData>> {
  return {
    name: "notificationChannels.list",
    method: "GET",
    path: channelsPath(domainId) + pageQuery({ page }),
    read: loadSchemas().readChannelPage,
    meanings: MEANINGS,
  };
}

export function getChannel(domainId: string, id: string): Operation<NotificationChannelData> {
  return {
    name: "notificationChannels.get",
    method: "GET",
    path: channelOf(domainId, id),
    read: (answer) => loadSchemas().readChannel(answer, id),
    meanings: MEANINGS,
  };
}

export function updateChannel(
  domainId: string,
  id: string,
  changes: UpdateNotificationChannel,
): Operation<NotificationChannelData> {
  refuse("the change", changeProblems(changes));
  return {
    name: "notificationChannels.update",
    method: "PATCH",
    path: channelOf(domainId, id),
    body: JSON.stringify(encodeChannel(changes)),
    read: (answer) => loadSchemas().readChannel(answer, id),
    meanings: MEANINGS,
    uncertaintyHint: `The channel ${id} may have been changed anyway: the same change can be sent again`,
    secrets: destinationsOf(changes),
  };
}

export function deleteChannel(domainId: string, id: string): Operation<void> {
  return {
    name: "notificationChannels.delete",
    method: "DELETE",
    path: channelOf(domainId, id),
    read: () => undefined,
    ignoresBody: true,
    meanings: MEANINGS,
    uncertaintyHint: `The channel ${id} may have been deleted anyway: a repeated delete then answers 404`,
  };
}

function channelOf(domainId: string, id: string): string {
  return `${channelsPath(domainId)}/${channelSegment("id", id)}`;
}
