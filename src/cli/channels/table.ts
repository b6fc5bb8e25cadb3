/** The channels as a table for terminals, and in a line. */
import { count } from "../../common/text";
import { columns, nameOf, printable, section } from "../text";
import {
  type ChannelList,
  type DomainChannels,
  failureLines,
  type ListedChannel,
  whyDisabled,
} from "./list";

const HEADER = ["DOMAIN", "ID", "TYPE", "LABEL", "NOTIFIES OF", "STATE", "CREATED"];

export function renderTable(list: ChannelList): string {
  const { domains, notes } = printable(list);
  const empty = domains.filter(({ channels, failure }) => channels?.length === 0 && !failure);
  const rows = domains.flatMap((domain) =>
    (domain.channels ?? []).map((channel) => cells(domain, channel)),
  );

  const lines = [
    summaryLine(list),
    ...(rows.length > 0 ? ["", ...columns([HEADER, ...rows])] : []),
    ...section("Disabled by the service", domains.flatMap(disabledLines)),
    ...section("Without channels", empty.map(nameOf)),
    ...section("Not listed", failureLines(domains)),
    ...section("Notes", notes),
  ];

  return `${lines.join("\n")}\n`;
}

function cells(domain: DomainChannels, channel: ListedChannel): string[] {
  const { id, type, label, createdAt, recorded, isProtected, isDisabled } = channel;
  const notifications = setFlags({
    WHOIS: channel.whoisNotificationsEnabled,
    DNS: channel.dnsNotificationsEnabled,
    SSL: channel.sslNotificationsEnabled,
  });

  const states = setFlags({ recorded, protected: isProtected, disabled: isDisabled });

  return [
    nameOf(domain),
    id,
    type,
    label,
    notifications.join(" ") || "nothing",
    states.join(", "),
    createdAt,
  ];
}

/** The names of the flags that are set. */
function setFlags(flags: Record<string, boolean | null>): string[] {
  return Object.keys(flags).filter((name) => flags[name]);
}

function disabledLines({ channels }: DomainChannels): string[] {
  const disabled = (channels ?? []).filter(({ isDisabled }) => isDisabled);
  return disabled.map((channel) => `${channel.id}: ${whyDisabled(channel)}`);
}

/** Such as `3 channels of 2 domains, 1 recorded in a stack; 1 domain could not be listed`. */
export function summaryLine({ domains }: ChannelList): string {
  const channels = domains.flatMap((domain) => domain.channels ?? []);
  const recorded = channels.filter((channel) => channel.recorded).length;
  const failed = domains.filter((domain) => domain.channels === null).length;
  const listed = `${count(channels.length, "channel")} of ${count(domains.length - failed, "domain")}`;

  return [
    recorded > 0 ? `${listed}, ${recorded} recorded in a stack` : listed,
    ...(failed > 0 ? [`${count(failed, "domain")} could not be listed`] : []),
  ].join("; ");
}
