/**
 * What takes the channels over: a program in TypeScript, or the file of `pulumi import --file`. In the program, texts of the
 * service are on one line of a comment, or in string literals: JSON is valid TypeScript.
 */
import { CHANNEL_RULES } from "../../client/channel-rules";
import { count } from "../../common/text";
import { isUuid } from "../../common/uuid";
import { FLAGS, PLUGIN_CHANNEL_TOKEN } from "../../names";
import { plain, toJson } from "../text";
import { type ChannelList, type DomainChannels, described, type ListedChannel } from "./list";

/** A channel, and what taking it over needs. */
interface Adoptable extends ListedChannel {
  domainId: string;
  /** Name of its domain, or the id if it has none. */
  domain: string;
  /** Name for its resource. */
  name: string;
  /** Reason why it is left out; undefined if it is not. */
  reason: string | undefined;
}

/** The same channels give the same text, and one that was recorded meanwhile only leaves it. */
export function renderProgram(list: ChannelList): string {
  const { domains } = list;
  const channels = adoptableChannels(domains);
  const written = channels.flat().filter(({ reason }) => reason === undefined);
  const constants = domainConstants(domains.map(({ domain }) => domain ?? ""));
  const parts = domains.map((domain, index) =>
    domainPart(domain, channels[index] ?? [], constants[index] ?? ""),
  );
  const problems = problemsOf(list);
  return [
    ...head(written.map(({ name }) => name)),
    ...(problems.length > 0 ? ["//", "// Incomplete:", ...problems.map((problem) => `//   ${problem}`)] : []),
    ...(written.length > 0 ? IMPORTS : ["", "export {};"]),
    ...parts.flat(),
    "",
  ].join("\n");
}

const IMPORTS = [
  "",
  `import * as pulumi from ${toJson("@pulumi/pulumi")};`,
  `import { NotificationChannel } from ${toJson("pulumi-domain-monitoring")};`,
  "",
  "const config = new pulumi.Config();",
];

function head(keys: string[]): string[] {
  const [first] = keys;
  if (first === undefined) return ["// There is no channel to take over."];
  return [
    `// Takes over ${count(keys.length, "channel")} instead of creating ${keys.length === 1 ? "it" : "them"}.`,
    "// Written by `npx pulumi-domain-monitoring channels --format typescript`.",
    "//",
    "// No response of the service has a destination, and taking a channel over sends the one that is declared here.",
    "// With `value: null` a channel keeps the one it has. Set the others before the first preview; each command asks:",
    "//",
    ...keys.map((key) => `//   pulumi config set --secret ${key}`),
  ];
}

/** A constant with the domain's id, unless nothing uses it, and its channels. */
function domainPart({ id, domain }: DomainChannels, channels: Adoptable[], constant: string): string[] {
  if (channels.length === 0) return [];
  const isUsed = channels.some(({ reason }) => reason === undefined);
  return [
    "",
    `// ${plain(domain ?? id)}`,
    ...(isUsed ? [`const ${constant} = ${toJson(id)};`] : []),
    ...channels.flatMap((channel) =>
      channel.reason === undefined
        ? ["", ...declaration(channel, constant)]
        : ["", `// Left out: ${described(channel)}: ${channel.reason}.`],
    ),
  ];
}

function declaration(channel: Adoptable, constant: string): string[] {
  const { id, label, type, isDisabled, disabledReason } = channel;
  const name = toJson(channel.name);
  const why = plain(disabledReason ?? "") || "no reason given";
  return [
    ...(isDisabled ? [`// The service has disabled this channel: ${why}`] : []),
    `new NotificationChannel(${name}, {`,
    `  domainId: ${constant},`,
    '  lifecycle: "managed",',
    `  adopt: ${toJson(id)},`,
    `  label: ${toJson(label)},`,
    `  type: ${toJson(type)},`,
    `  value: config.requireSecret(${name}),`,
    ...(type === "webhook" ? METHOD : []),
    ...FLAGS.filter((flag) => !channel[flag]).map((flag) => `  ${flag}: false,`),
    "});",
  ];
}

const METHOD = [
  "  // No response has the HTTP method either. Left out, it stays as it is:",
  '  // secondaryValue: "POST",',
];

/** A constant's name for each domain, in the same order. Its beginning makes it valid and no reserved word. */
function domainConstants(domains: readonly string[]): string[] {
  const taken = new Set<string>();
  return domains.map((domain) => {
    const base = `domain-${slug(domain)}`.replace(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase());
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
    taken.add(name);
    return name;
  });
}

/** The engine ignores `leftOut`: what is not imported, and why. */
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

/** The channels of each domain. Two spellings of a domain's id list the same ones. */
function adoptableChannels(domains: readonly DomainChannels[]): Adoptable[][] {
  const seen = new Set<string>();
  const listed = domains.map(({ id: domainId, domain, channels }) =>
    (channels ?? []).map((channel) => {
      const reason = seen.has(channel.id) ? "it is listed above" : obstacle(channel);
      seen.add(channel.id);
      return { ...channel, domainId, domain: domain ?? domainId, name: "", reason };
    }),
  );
  nameChannels(listed.flat());
  return listed;
}

/** Reason why a channel cannot be taken over, or need not be; undefined if there is none. */
function obstacle({ id, label, type, isProtected, recorded }: ListedChannel): string | undefined {
  if (recorded) return "the stack has recorded it already";
  if (isProtected) return "the service protects it, so it cannot be taken over";
  if (CHANNEL_RULES.type(type, {})) return "this package does not know its type";
  const problem = CHANNEL_RULES.label(label, {});
  if (problem) return `its label ${problem} in the service first`;
  return isUuid(id) ? undefined : "its id is not a UUID";
}

/** Longest part of a name, so that a long label does not make the whole name unreadable. */
const MAX_PART_LENGTH = 40;

/**
 * Names each channel; the name is also the key of its secret. Channels whose names would be the same get the beginning of their
 * ids, whichever comes first: a name must not change because another channel was recorded meanwhile.
 */
function nameChannels(channels: readonly Adoptable[]): void {
  let open = channels;
  for (const length of [0, 8, undefined]) {
    for (const channel of open) {
      const { domain, label, type, id } = channel;
      channel.name = words(domain, label, type, id.slice(0, length));
    }
    const names = open.map(({ name }) => name);
    open = open.filter(({ name }) => names.indexOf(name) !== names.lastIndexOf(name));
  }
}

function words(...texts: string[]): string {
  return texts
    .map(slug)
    .filter((part) => part !== "")
    .join("-");
}

/** What is missing in a list, one line each. */
function problemsOf({ domains, notes }: ChannelList): string[] {
  const failures = domains.flatMap(({ id, failure }) =>
    failure ? `domain ${id} could not be listed: ${failure.message}` : [],
  );
  return [...failures, ...notes].map((problem) => plain(problem, 500));
}

/** `Büro: Nord` becomes `buro-nord`; letters without an ASCII form are dropped. */
function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_PART_LENGTH)
    .replace(/^-|-$/g, "");
}
