/**
 * The rules of a domain's fields, for the client and the provider. Pure. A problem follows the name
 * of its field.
 */
import { edgeProblem, requestProblems } from "./channel-rules";
import type { CreateDomain, UpdateDomain } from "./types";

/** A last label of letters, as every domain name has one. */
const NAME = /\.(\p{L}{2,}|xn--[a-z0-9-]+)\.?$/iu;

/**
 * The problem of a domain's id. Ids are UUID-shaped (interface.md, section 2.1), and only what
 * cannot be one is refused.
 */
export function domainIdProblem(id: unknown): string | undefined {
  // Dots would be another path, and half of a surrogate pair cannot be encoded.
  const isSegment =
    typeof id === "string" && !["", ".", ".."].includes(id) && !/\p{Surrogate}/u.test(id);

  if (!isSegment) return "is not a valid id: use the domain's id";
  if (NAME.test(id))
    return 'is a domain name: use the domain\'s id, or look it up with getDomain({ domain: "example.com" }) or getDomainOutput';

  return edgeProblem(id);
}

type Rule = (value: unknown) => string | undefined;

const text: Rule = (value) =>
  typeof value === "string" ? undefined : "is not a string: give a text";

const textOrNull: Rule = (value) => (value === null ? undefined : text(value));

export const DOMAIN_RULES: Readonly<Record<keyof CreateDomain, Rule>> = {
  domain: text,
  label: text,
  description: textOrNull,
  colour: textOrNull,
  whoisCheckInterval: text,
  dnsCheckInterval: text,
  enabledDnsRecords: (value) =>
    Array.isArray(value) && value.every((record) => typeof record === "string")
      ? undefined
      : 'is not a list of strings: give types of records such as "MX"',
};

/** The fields of a domain, in the order in which they are sent and recorded. */
export const DOMAIN_FIELDS = Object.keys(DOMAIN_RULES) as readonly (keyof CreateDomain)[];

/** The fields that an update may have. */
export const DOMAIN_SETTINGS = DOMAIN_FIELDS.filter((name) => name !== "domain");

export function domainProblems(domain: CreateDomain): string[] {
  return requestProblems(domain, DOMAIN_RULES, DOMAIN_FIELDS, ["domain", "label"]);
}

export function domainChangeProblems(changes: UpdateDomain): string[] {
  return requestProblems(changes, DOMAIN_RULES, DOMAIN_SETTINGS);
}
