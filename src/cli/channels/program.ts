/**
 * Takes the channels over: a program in TypeScript, or the file of `pulumi import --file`. In the
 * program, texts of the service are on one line of a comment, or in string literals: JSON is valid
 * TypeScript.
 */
import { createHash } from "node:crypto";
import { CHANNEL_RULES, edgeProblem } from "../../client/channel-rules";
import { isUuid } from "../../common/ids";
import { oneLine } from "../../common/secrets";
import { count } from "../../common/text";
import { FLAGS, PLUGIN_CHANNEL_TOKEN } from "../../names";
import { toJson } from "../text";
import { type ChannelList, described, type ListedChannel, reasonOf } from "./list";

/** A channel, and what taking it over needs. */
interface Adoptable extends ListedChannel {
  /** Name for its resource. */
  name: string;

  /** Key of the secret with its destination. */
  secretKey: string;

  /** Reason why it is left out; undefined if it is not. */
  reason: string | undefined;
}

type AdoptableDomain = ReturnType<typeof adoptableDomains>[number];

/**
 * The same channels give the same text, and one that was recorded meanwhile only leaves it.
 * @param keepsDestinations whether every channel keeps its destination, so that none has to be
 * declared
 */
export function renderProgram(list: ChannelList, keepsDestinations: boolean): string {
  const domains = adoptableDomains(list);
  const adopted = domains.flatMap(({ channels }) => channels.filter(isTakenOver));
  const problems = problemsOf(list);
  const imports = keepsDestinations ? IMPORTS_WITHOUT_SECRETS : IMPORTS;

  return [
    ...head(adopted, keepsDestinations),
    ...(problems.length > 0
      ? ["//", "// Incomplete:", ...problems.map((problem) => `//   ${problem}`)]
      : []),
    ...(adopted.length > 0 ? imports : ["", "export {};"]),
    ...domains.flatMap((domain) => domainPart(domain, keepsDestinations)),
    "",
  ].join("\n");
}

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

function isTakenOver({ reason }: Adoptable): boolean {
  return reason === undefined;
}

function leftOut(channel: Adoptable): string {
  return `${described(channel)}: ${channel.reason}`;
}

const IMPORT_CHANNEL = `import { NotificationChannel } from ${toJson("pulumi-domain-monitoring")};`;
const IMPORTS_WITHOUT_SECRETS = ["", IMPORT_CHANNEL];

const IMPORTS = [
  "",
  `import * as pulumi from ${toJson("@pulumi/pulumi")};`,
  IMPORT_CHANNEL,
  "",
  "const config = new pulumi.Config();",
];

function head(adopted: readonly Adoptable[], keepsDestinations: boolean): string[] {
  if (adopted.length === 0) return ["// There is no channel to take over."];

  const first = [
    `// Takes over ${count(adopted.length, "channel")} instead of creating ${adopted.length === 1 ? "it" : "them"}.`,
    "// Written by `npx pulumi-domain-monitoring channels --format typescript`.",
    "//",
    "// No response of the service has a destination, and taking a channel over sends the one that is declared here.",
  ];

  if (keepsDestinations)
    return [...first, "// With `value: null` every channel keeps the one it has."];

  const keys = new Set(adopted.map(({ secretKey }) => secretKey));

  return [
    ...first,
    "// With `value: null` a channel keeps the one it has. Channels of several domains with one type and label share a",
    "// secret: give one that has another destination its own. Set these before the first preview; each command asks:",
    "//",
    ...[...keys].map((key) => `//   pulumi config set --secret ${key}`),
  ];
}

/**
 * Finds the key of a channel's secret. Channels of many domains with one type and label mostly have
 * one destination, so they share a secret. Two of one domain have a secret each, and so have
 * different labels whose keys would be the same.
 * @param domains the channels of each domain
 */
function secretKeys(
  domains: readonly (readonly ListedChannel[])[],
): (channel: ListedChannel) => string {
  const pairsByKey = new Map<string, Set<string>>();
  const repeated = new Set<string>();

  for (const channels of domains) {
    const ofDomain = new Set<string>();
    for (const channel of channels) {
      const pair = pairOf(channel);

      if (ofDomain.has(pair)) repeated.add(pair);
      ofDomain.add(pair);
      const key = plainKey(channel);

      pairsByKey.set(key, (pairsByKey.get(key) ?? new Set()).add(pair));
    }
  }

  return (channel) => {
    const key = plainKey(channel);
    const pair = pairOf(channel);
    const isOwn = repeated.has(pair);
    const isAmbiguous = (pairsByKey.get(key)?.size ?? 0) > 1;
    if (!isOwn && !isAmbiguous) return key;

    const digest = createHash("sha256").update(isOwn ? channel.id : pair);

    return `${key}-${digest.digest("hex").slice(0, 8)}`;
  };
}

function plainKey({ type, label }: ListedChannel): string {
  return [slug(label), slug(type)].filter((part) => part !== "").join("-");
}

function pairOf({ type, label }: ListedChannel): string {
  return JSON.stringify([type, label]);
}

/** A constant with the domain's id, unless nothing uses it, and its channels. */
function domainPart(
  { id, name, constant, channels }: AdoptableDomain,
  keepsDestinations: boolean,
): string[] {
  if (channels.length === 0) return [];
  return [
    "",
    `// ${oneLine(name)}`,
    ...(channels.some(isTakenOver) ? [`const ${constant} = ${toJson(id)};`] : []),
    ...channels.flatMap((channel) => {
      if (!isTakenOver(channel)) return ["", `// Left out: ${leftOut(channel)}.`];
      const value = keepsDestinations
        ? "null"
        : `config.requireSecret(${toJson(channel.secretKey)})`;

      return ["", ...declaration(channel, constant, value)];
    }),
  ];
}

function declaration(channel: Adoptable, constant: string, value: string): string[] {
  const { id, label, type, isDisabled } = channel;

  return [
    ...(isDisabled ? [`// The service has disabled this channel: ${reasonOf(channel)}`] : []),
    `new NotificationChannel(${toJson(channel.name)}, {`,
    `  domainId: ${constant},`,
    '  lifecycle: "managed",',
    `  adopt: ${toJson(id)},`,
    `  label: ${toJson(label)},`,
    `  type: ${toJson(type)},`,
    `  value: ${value},`,
    ...(type === "webhook" ? METHOD : []),
    ...FLAGS.filter((flag) => !channel[flag]).map((flag) => `  ${flag}: false,`),
    "});",
  ];
}

const METHOD = [
  "  // No response has the HTTP method either. Left out, it stays as it is:",
  '  // secondaryValue: "POST",',
];

function adoptableDomains({ domains }: ChannelList) {
  // Two spellings of a domain's id list the same channels.
  const seen = new Set<string>();
  const constants = new Set<string>();
  const keyOf = secretKeys(domains.map(({ channels }) => channels ?? []));
  const adoptable = domains.map(({ id, domain, channels }) => ({
    id,
    name: domain ?? id,
    constant: newConstant(domain ?? "", constants),
    channels: (channels ?? []).map((channel): Adoptable => {
      const reason = seen.has(channel.id) ? "it is listed above" : obstacle(channel);
      seen.add(channel.id);

      return {
        ...channel,
        name: "",
        secretKey: keyOf(channel),
        reason,
      };
    }),
  }));

  nameChannels(adoptable);

  return adoptable;
}

/** A constant for the id of a domain. Its beginning makes it valid and no reserved word. */
function newConstant(domain: string, taken: Set<string>): string {
  const base = `domain-${slug(domain)}`.replace(/-+(\w?)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );

  let name = base;

  for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
  taken.add(name);

  return name;
}

/** Reason why a channel cannot be taken over, or need not be; undefined if there is none. */
function obstacle({ id, label, type, isProtected, recorded }: ListedChannel): string | undefined {
  if (recorded) return "the stack has recorded it already";
  if (isProtected) return "the service protects it, so it cannot be taken over";
  if (CHANNEL_RULES.type(type, {})) return "this package does not know its type";

  const problem = CHANNEL_RULES.label(label, {}) ?? edgeProblem(label);
  if (problem) return `its label ${problem} in the service first`;

  return isUuid(id) ? undefined : "its id is not a UUID";
}

/** Longest part of a name, so that a long label does not make the whole name unreadable. */
const MAX_PART_LENGTH = 40;

/**
 * Channels whose names would be the same get the beginning of their ids, whichever comes first: a
 * name must not change because another channel was recorded meanwhile.
 */
function nameChannels(domains: readonly { name: string; channels: Adoptable[] }[]): void {
  let unnamed = domains.flatMap(({ name, channels }) =>
    channels.map((channel) => ({ channel, domain: name })),
  );

  const withoutId = () => "";
  const withShortId = (id: string) => id.slice(0, 8);
  const withId = (id: string) => id;

  for (const idPart of [withoutId, withShortId, withId]) {
    const named = unnamed.map(({ channel, domain }) => {
      const parts = [domain, channel.label, channel.type, idPart(channel.id)].map(slug);
      return {
        channel,
        domain,
        name: parts.filter((part) => part !== "").join("-"),
      };
    });

    const counts = new Map<string, number>();

    for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
    // All names of the last form are taken: ids differ.
    for (const { channel, name } of named) channel.name = name;
    unnamed = named.filter(({ name }) => (counts.get(name) ?? 0) > 1);
  }
}

/** The gaps of a list, one line each. */
function problemsOf({ domains, notes }: ChannelList): string[] {
  const failures = domains.flatMap(({ id, failure }) =>
    failure ? `domain ${id} could not be listed: ${failure.message}` : [],
  );

  return [...failures, ...notes].map((problem) => oneLine(problem, 500));
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
