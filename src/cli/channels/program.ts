/**
 * A program in TypeScript that takes the channels over. Texts of the service are on one line of a
 * comment, or in string literals: JSON is valid TypeScript.
 */
import { CHANNEL, DEFAULTED } from "../../client/fields";
import { count, toJson } from "../../common/text";
import { PLUGIN_CHANNEL_TOKEN } from "../../names";
import { printable } from "../text";
import {
  type Adoptable,
  type AdoptableDomain,
  adoptableDomains,
  gapsOf,
  isTakenOver,
  leftOut,
} from "./adoptable";
import { type ChannelList, whyDisabled } from "./list";

/** The same channels give the same program; one that was recorded meanwhile is only left out. */
export function renderProgram(list: ChannelList): string {
  const domains = adoptableDomains(list);
  const adopted = domains.flatMap(({ channels }) => channels.filter(isTakenOver));
  const gaps = gapsOf(list);

  return [
    ...head(adopted),
    ...(gaps.length > 0
      ? ["//", "// Incomplete:", ...gaps.map((gap) => `//   ${printable(gap)}`)]
      : []),
    "",
    adopted.length > 0
      ? `import { NotificationChannel } from ${toJson("pulumi-domain-monitoring")};`
      : "export {};",
    ...domains.flatMap(domainPart),
    "",
  ].join("\n");
}

function head(adopted: readonly Adoptable[]): string[] {
  if (adopted.length === 0) return ["// There is no channel to take over."];

  return [
    `// Adopts ${count(adopted.length, "channel")} instead of creating ${adopted.length === 1 ? "it" : "them"}.`,
    "// Written by `npx pulumi-domain-monitoring channels --format typescript`.",
    "//",
    "// The service never returns destinations. With `value: null`, every channel keeps its own.",
  ];
}

function domainPart({ id, name, channels }: AdoptableDomain): string[] {
  if (channels.length === 0) return [];

  return [
    "",
    comment(name),
    ...channels.flatMap((channel) => [
      "",
      ...(isTakenOver(channel)
        ? declaration(channel, id)
        : [comment(`Left out: ${leftOut(channel)}.`)]),
    ]),
  ];
}

function declaration(channel: Adoptable, domainId: string): string[] {
  const { id, label, type, isDisabled } = channel;
  const reported: Record<string, unknown> = { ...channel };
  const settings = DEFAULTED.filter((name) => reported[name] !== CHANNEL[name].default);

  return [
    ...(isDisabled
      ? [comment(`The service has disabled this channel: ${whyDisabled(channel)}`)]
      : []),
    `new NotificationChannel(${toJson(channel.name)}, {`,
    `  domainId: ${toJson(domainId)},`,
    '  lifecycle: "managed",',
    `  adopt: ${toJson(id)},`,
    `  label: ${toJson(label)},`,
    `  type: ${toJson(type)},`,
    "  value: null,",
    ...(type === "webhook" ? METHOD : []),
    ...settings.map((name) => `  ${name}: ${toJson(reported[name])},`),
    "});",
  ];
}

/** Texts of the service cannot end it. */
function comment(text: string): string {
  return `// ${printable(text)}`;
}

const METHOD = [
  "  // The service never returns the HTTP method either. Omit it to keep the current one:",
  '  // secondaryValue: "POST",',
];

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

  return `${toJson({ resources, leftOut: [...others.map(leftOut), ...gapsOf(list)] })}\n`;
}
