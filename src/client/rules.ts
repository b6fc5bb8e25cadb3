/**
 * Rules that several fields and modules share: of ids, labels and destinations. Pure. A
 * problem follows the name of its field: what is wrong, then what to do, and no value but a domain's
 * name.
 */

import { parseUrl } from "../common/text";
import { DomainMonitoringError } from "./errors";
import { LABEL_LENGTH } from "./types";

/**
 * The problem of a field, or undefined.
 *
 * @param given the values beside it
 */
export type Rule = (value: unknown, given: GivenValues) => string | undefined;

type GivenValues = Readonly<Record<string, unknown>>;
type RuleTable<Name extends string> = Readonly<Record<Name, { rule: Rule }>>;

/**
 * @throws DomainMonitoringError of kind `validation` if there are problems; they name fields, never
 * values
 */
export function refuse(what: string, problems: readonly string[]): void {
  if (problems.length > 0)
    throw new DomainMonitoringError("validation", `${what} was not sent: ${problems.join("; ")}`);
}

/** Problems of a request that may have these fields, and has at least one. */
export function requestProblems<Name extends string>(
  given: GivenValues,
  rules: RuleTable<Name>,
  names: readonly Name[],
  required: readonly Name[] = [],
): string[] {
  const isKnown = Object.keys(given).every((name) => isOneOf(names, name));
  const checked = names.filter((name) => given[name] !== undefined || required.includes(name));

  return [
    ...problemsOf(given, rules, checked),
    ...(isKnown ? [] : [`it has an unknown field: use ${names.join(", ")}`]),
    ...(checked.length > 0 ? [] : ["it has no field: give at least one"]),
  ];
}

/** Problems of these fields, whether they are given or not. */
export function problemsOf<Name extends string>(
  given: GivenValues,
  rules: RuleTable<Name>,
  names: readonly Name[],
): string[] {
  return names.flatMap((name) => {
    const problem = rules[name].rule(given[name], given);
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
}

export function isOneOf(known: readonly string[], value: unknown): boolean {
  return typeof value === "string" && known.includes(value);
}

/** The problem of a text that a service may trim, so that it would differ from what is declared. */
export function edgeProblem(value: unknown): string | undefined {
  const isTrimmed = typeof value !== "string" || value === value.trim();
  return isTrimmed ? undefined : "begins or ends with whitespace: remove it";
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** No slash and not only dots, because ids are segments of paths. */
const RECORDABLE_ID = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;

export function isUuid(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}

/** The one spelling of an id: a UUID may come in either case, and another id is what it is. */
export function canonicalId(id: string): string {
  const lower = id.toLowerCase();
  return lower !== id && UUID.test(id) ? lower : id;
}

/**
 * Whether a string can be recorded as an id: it stays the same in the state, paths, commands and
 * messages.
 */
export function isId(text: unknown): text is string {
  return typeof text === "string" && RECORDABLE_ID.test(text);
}

/** A last label of letters, which every domain name has. */
const NAME_ENDING = /\.(\p{L}{2,}|xn--[a-z0-9-]+)\.?$/iu;

/** A name that can be shown, and given to a command. A mail or web address may be a secret. */
const SHOWN = /^(?!-)[\p{L}\p{M}\p{N}_.-]{1,254}$/u;

const NOT_AN_ID = "is not a valid id: use the domain's id";

/**
 * The problem of a domain's id. Ids are UUID-shaped (interface.md, section 2.1), and only what
 * cannot be one is refused.
 */
export function domainIdProblem(id: unknown): string | undefined {
  // Dots would be another path, and half of a surrogate pair cannot be encoded.
  const isSegment =
    typeof id === "string" && !["", ".", ".."].includes(id) && !/\p{Surrogate}/u.test(id);

  if (!isSegment) return NOT_AN_ID;
  if (NAME_ENDING.test(id)) return SHOWN.test(id) ? nameProblem(id) : NOT_AN_ID;

  return edgeProblem(id);
}

function nameProblem(name: string): string {
  return `is a name (${name}): use its id; \`pulumi-domain-monitoring doctor --domain ${name}\` prints it`;
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

/** The problem of a label, which domains have too. */
export function labelProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "is not a string: give a display name";

  const { length } = [...value];
  if (length >= LABEL_LENGTH.minimum && length <= LABEL_LENGTH.maximum) return undefined;

  return `has a length of ${length}: give it ${LABEL_LENGTH.minimum} to ${LABEL_LENGTH.maximum} characters`;
}

/**
 * The problem of a destination's form, which the interface does not define: only what cannot be
 * right.
 */
export function formProblem(value: unknown, { type }: { type?: unknown }): string | undefined {
  if (typeof value !== "string") return undefined;
  if (value.trim() === "") return "is empty: give the destination, or null for none";

  const problem = lineProblem(value);
  if (problem !== undefined) return problem;
  if (OTHER_STOP_IN_HOST.test(value)) return 'has a full stop other than "." in its host: use "."';
  if (type === "email" && !isEmailAddress(value))
    return "is not a valid e-mail address: give one, without a name";

  if (type === "webhook" && !isHttpUrl(value))
    return "is not a valid http or https URL: give the webhook's address";

  return undefined;
}

/**
 * The problem of a destination of any type. A secret that was read from a file often ends with a
 * line break.
 */
export function lineProblem(value: unknown): string | undefined {
  const isBroken = typeof value === "string" && /^\s|\s$|[\r\n]/.test(value);
  return isBroken ? "has a line break, or whitespace at its ends: remove it" : undefined;
}

/**
 * Hosts of addresses are resolved as if it were a full stop, so what is sent there is not what is
 * written.
 */
const OTHER_STOP_IN_HOST = /(?:^https?:\/\/[^/?#]*|@.*)[\u3002\uff0e\uff61]/i;

/**
 * One `@` between a name and a host, no spaces: catches mistakes and accepts every real address.
 */
function isEmailAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/u.test(text);
}

/** Rejects spaces, which parsing would drop or encode. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && parseUrl(text) !== undefined;
}

export function textProblem(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "is not a string: give one";
}

export function textOrNullProblem(value: unknown): string | undefined {
  return value === null ? undefined : textProblem(value);
}
