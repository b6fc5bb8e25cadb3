/**
 * The channels as a program in TypeScript that takes them over. Texts of the service are on one line of a comment, or in
 * string literals: JSON is valid TypeScript.
 */
import { CHANNEL_RULES } from "../../client/channel-rules";
import { count } from "../../common/text";
import { isUuid } from "../../common/uuid";
import { FLAGS } from "../../names";
import { plain, toJson } from "../text";
import { type ChannelList, type DomainChannels, described, type ListedChannel } from "./list";

/** A channel with what its part of the program needs. */
interface Entry extends ListedChannel {
  /** Name of its domain, or the id if it has none. */
  domain: string;
  /** Reason why the program leaves it out; undefined if it does not. */
  reason: string | undefined;
}

/** Renders the program. The same channels give the same text, and one that was recorded meanwhile only leaves it. */
export function renderProgram({ domains, notes }: ChannelList): string {
  const seen = new Set<string>();
  const listed = domains.map((domain) => ({ ...domain, entries: entriesOf(domain, seen) }));
  const entries = listed.flatMap((domain) => domain.entries);
  const written = entries.filter(({ reason }) => reason === undefined);
  const names = channelNames(entries);
  const constants = domainConstants(domains.map(({ domain }) => domain ?? ""));
  const parts = listed.map((domain, index) => domainPart(domain, constants[index] ?? "", names));
  const problems = [
    ...domains.flatMap(({ id, failure }) =>
      failure ? `domain ${id} could not be listed: ${failure.message}` : [],
    ),
    ...notes,
  ];
  return [
    ...head(written.map((entry) => names.get(entry) ?? "")),
    ...(problems.length > 0
      ? ["//", "// Incomplete:", ...problems.map((problem) => `//   ${plain(problem, 500)}`)]
      : []),
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

/** @param seen the channels so far: two spellings of a domain's id list the same ones */
function entriesOf({ id: domainId, domain, channels }: DomainChannels, seen: Set<string>): Entry[] {
  return (channels ?? []).map((channel) => {
    const reason = seen.has(channel.id) ? "it is listed above" : obstacle(channel);
    seen.add(channel.id);
    return { ...channel, domain: domain ?? domainId, reason };
  });
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

/** A constant with the domain's id, unless nothing uses it, and its channels. */
function domainPart(
  { id, domain, entries }: DomainChannels & { entries: Entry[] },
  constant: string,
  names: Map<Named, string>,
): string[] {
  if (entries.length === 0) return [];
  const isUsed = entries.some(({ reason }) => reason === undefined);
  return [
    "",
    `// ${plain(domain ?? id)}`,
    ...(isUsed ? [`const ${constant} = ${toJson(id)};`] : []),
    ...entries.flatMap((entry) =>
      entry.reason === undefined
        ? ["", ...declaration(entry, constant, toJson(names.get(entry) ?? ""))]
        : ["", `// Left out: ${described(entry)}: ${entry.reason}.`],
    ),
  ];
}

function declaration(entry: Entry, constant: string, name: string): string[] {
  const { id, label, type, isDisabled, disabledReason } = entry;
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
    ...FLAGS.filter((flag) => !entry[flag]).map((flag) => `  ${flag}: false,`),
    "});",
  ];
}

const METHOD = [
  "  // No response has the HTTP method either. Left out, it stays as it is:",
  '  // secondaryValue: "POST",',
];

/** Longest part of a name, so that a long label does not make the whole name unreadable. */
const MAX_PART_LENGTH = 40;

/** Values that the name of a channel is made from. */
export interface Named {
  id: string;
  domain: string;
  label: string;
  type: string;
}

/**
 * A resource name for each channel, which is also the key of its secret. Channels whose names would be the same get the
 * beginning of their ids, whichever comes first: a name must not change because another channel was recorded meanwhile.
 */
function channelNames(channels: readonly Named[]): Map<Named, string> {
  const levels = [
    ({ domain, label, type }: Named) => words(domain, label, type),
    (channel: Named) => words(channel.domain, channel.label, channel.type, channel.id.slice(0, 8)),
    (channel: Named) => words(channel.domain, channel.label, channel.type, channel.id),
  ];
  const names = new Map<Named, string>();
  let open = channels;
  for (const name of levels) {
    const claims = new Map<string, number>();
    for (const channel of open) claims.set(name(channel), (claims.get(name(channel)) ?? 0) + 1);
    for (const channel of open) names.set(channel, name(channel));
    open = open.filter((channel) => claims.get(name(channel)) !== 1);
  }
  return names;
}

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

function words(...texts: string[]): string {
  return texts
    .map(slug)
    .filter((part) => part !== "")
    .join("-");
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
