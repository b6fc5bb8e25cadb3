/** Texts shared by the formats of a list of channels. */
import { count } from "../../common/text";
import type { ChannelList } from "./model";

/** Such as `3 channels of 2 domains, 1 recorded in the stack; 1 domain could not be listed`. */
export function summaryLine({ domains }: ChannelList): string {
  const channels = domains.flatMap((domain) => domain.channels ?? []);
  const recorded = channels.filter((channel) => channel.recorded).length;
  const failed = domains.filter(({ failure }) => failure !== null).length;
  const listed = `${count(channels.length, "channel")} of ${count(domains.length - failed, "domain")}`;
  return [
    recorded > 0 ? `${listed}, ${recorded} recorded in the stack` : listed,
    ...(failed > 0 ? [`${count(failed, "domain")} could not be listed`] : []),
  ].join("; ");
}
