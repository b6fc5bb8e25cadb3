/**
 * A program in TypeScript that takes the channels over. Texts of the service are on one line of a
 * comment, or in string literals: JSON is valid TypeScript.
 */
import { count, toJson } from "../../common/text";
import { FLAGS } from "../../names";
import { printable } from "../text";
import {
  type Adoptable,
  type AdoptableDomain,
  adoptableDomains,
  isTakenOver,
  leftOut,
  problemsOf,
} from "./adoptable";
import { type ChannelList, reasonOf } from "./list";

/**
 * The same channels give the same program, and a channel that was recorded meanwhile is only left
 * out.
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
      ? ["//", "// Incomplete:", ...problems.map((problem) => `//   ${printable(problem)}`)]
      : []),
    ...(adopted.length > 0 ? imports : ["", "export {};"]),
    ...domains.flatMap((domain) => domainPart(domain, keepsDestinations)),
    "",
  ].join("\n");
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
    `// Adopts ${count(adopted.length, "channel")} instead of creating ${adopted.length === 1 ? "it" : "them"}.`,
    "// Written by `npx pulumi-domain-monitoring channels --format typescript`.",
    "//",
    "// The service never returns destinations, so adopting a channel sets the one declared here.",
  ];

  if (keepsDestinations)
    return [...first, "// With `value: null`, every channel keeps its current one."];

  const keys = new Set(adopted.map(({ secretKey }) => secretKey));

  return [
    ...first,
    "// Use `value: null` to keep the current one. Channels with the same type and label share a secret; give a channel",
    "// its own if its destination differs. Set the secrets before the first preview:",
    "//",
    ...[...keys].map((key) => `//   pulumi config set --secret ${key}`),
  ];
}

/** A constant with the domain's id, unless nothing uses it, and its channels. */
function domainPart(
  { id, name, constant, channels }: AdoptableDomain,
  keepsDestinations: boolean,
): string[] {
  if (channels.length === 0) return [];
  return [
    "",
    comment(name),
    ...(channels.some(isTakenOver) ? [`const ${constant} = ${toJson(id)};`] : []),
    ...channels.flatMap((channel) => {
      if (!isTakenOver(channel)) return ["", comment(`Left out: ${leftOut(channel)}.`)];
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
    ...(isDisabled ? [comment(`The service has disabled this channel: ${reasonOf(channel)}`)] : []),
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

/** Texts of the service cannot end it. */
function comment(text: string): string {
  return `// ${printable(text)}`;
}

const METHOD = [
  "  // No response has the HTTP method either. Left out, it stays as it is:",
  '  // secondaryValue: "POST",',
];
