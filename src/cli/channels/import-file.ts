/** The file of `pulumi import --file` that takes the channels over, for the plugin. */

import { toJson } from "../../common/text";
import { PLUGIN_CHANNEL_TOKEN } from "../../names";
import { adoptableDomains, isTakenOver, leftOut, problemsOf } from "./adoptable";
import type { ChannelList } from "./list";

/** The engine ignores `leftOut`: what is not imported, and why. */
export function renderImportFile(list: ChannelList): string {
  const domains = adoptableDomains(list);
  const resources = domains.flatMap(({ id: domainId, channels }) =>
    channels.filter(isTakenOver).map(({ name, id }) => ({
      type: PLUGIN_CHANNEL_TOKEN,
      name,
      id: `${domainId}/${id}`,
    })),
  );

  const others = domains.flatMap(({ channels }) =>
    channels.filter((channel) => !isTakenOver(channel)),
  );

  return `${toJson({ resources, leftOut: [...others.map(leftOut), ...problemsOf(list)] })}\n`;
}
