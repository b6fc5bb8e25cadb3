/**
 * The rules of fields: those of ids, and of a domain; `channel-rules.ts` has those of a channel. A
 * problem follows the name of its field: what is wrong, then what to do.
 */
import { isUnknown } from "../common/markers";
import { edgeProblem, requestProblems } from "./channel-rules";
import { DomainMonitoringError } from "./errors";
import type { CreateDomain, UpdateDomain } from "./requests";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** No slash and not only dots, because ids are segments of paths. */
const ID = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;

export function isUuid(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}

/** The one spelling of an id: a UUID may come in either case, and another id is what it is. */
export function canonicalId(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}

/**
 * Whether a string can be recorded as an id: it stays the same in the state, paths, commands and
 * messages.
 */
export function isId(text: unknown): text is string {
  return typeof text === "string" && ID.test(text) && !isUnknown(text);
}

/** A last label of letters, which every domain name has. */
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

/**
 * Encodes an id for use as one segment of a path. @throws DomainMonitoringError of kind
 * `validation`
 */
export function pathSegment(name: string, id: string): string {
  const problem = domainIdProblem(id);
  if (problem !== undefined) throw new DomainMonitoringError("validation", `${name} ${problem}`);

  return encodeURIComponent(id);
}

type Rule = (value: unknown) => string | undefined;

const text: Rule = (value) => (typeof value === "string" ? undefined : "is not a string: give one");

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

/**
 * @throws DomainMonitoringError of kind `validation` if there are problems; they name fields, never
 * values
 */
export function refuse(what: string, problems: readonly string[]): void {
  if (problems.length > 0)
    throw new DomainMonitoringError("validation", `${what} was not sent: ${problems.join("; ")}`);
}
