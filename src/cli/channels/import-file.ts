/** The channels as the file of `pulumi import --file`, which records them by the plugin and writes their code in any language. */
import { PLUGIN_CHANNEL_TOKEN } from "../../names";
import { toJson } from "../text";
import { adoptableChannels, problemsOf } from "./adoptable";
import { type ChannelList, described } from "./list";

/** Renders the file. The engine ignores `leftOut`: what is not imported, and why. */
export function renderImportFile(list: ChannelList): string {
  const channels = adoptableChannels(list.domains).flat();
  const resources = channels
    .filter(({ reason }) => reason === undefined)
    .map(({ name, domainId, id }) => ({ type: PLUGIN_CHANNEL_TOKEN, name, id: `${domainId}/${id}` }));
  const leftOut = channels.flatMap((channel) =>
    channel.reason === undefined ? [] : `${described(channel)}: ${channel.reason}`,
  );
  return `${toJson({ resources, leftOut: [...leftOut, ...problemsOf(list)] })}\n`;
}
