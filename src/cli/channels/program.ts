/**
 * The channels as a program in TypeScript that takes them over. Texts of the service are on one line of a comment, or in
 * string literals: JSON is valid TypeScript.
 */
import { count } from "../../common/text";
import { FLAGS } from "../../names";
import { plain, toJson } from "../text";
import { type Adoptable, adoptableChannels, problemsOf, slug } from "./adoptable";
import { type ChannelList, type DomainChannels, described } from "./list";

/** Renders the program. The same channels give the same text, and one that was recorded meanwhile only leaves it. */
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
