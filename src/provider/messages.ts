/**
 * How messages name a channel, and warnings that many channels of a run may have. Of those a preview
 * names the first ones of a kind, and has one line for all others, which the engine lists and counts.
 * An update names each channel that it leaves in the service or takes over, because its id may stand
 * nowhere else afterwards. No line is shown twice, so both use the same words.
 */
import { redactor } from "../common/secrets";
import { type Redactor, sanitizeText, sentences } from "../common/text";
import { isUnknown, type Properties } from "./boundary";
import type { OperationContext } from "./connection";
import { secretsOf } from "./record";

/**
 * Name of a channel in messages, on one line. Redacted, because a label may repeat the destination.
 */
export function title(properties: Properties, id?: string): string {
  const { label, type, domainId } = properties;
  const redact = redactor(secretsOf(properties));

  // An import knows only what it was given.
  if (id && label === undefined && type === undefined)
    return `Notification channel ${shown(id, redact)}${domainId === undefined ? "" : ` of domain ${shown(domainId, redact)}`}`;

  const identified = id ? `, id ${shown(id, redact)}` : "";
  const described = `${shown(type, redact)}, domain ${shown(domainId, redact)}`;

  return `Notification channel "${shownLabel(properties, redact)}" (${described}${identified})`;
}

/** Longest line about one of many channels, and the letters of a label that it has at least. */
const MAX_LINE = 120;
const MIN_LABEL = 10;

/**
 * One of many channels with its fate, in a line that is short enough for a list.
 * @param redact removes also what only another record of it knows
 */
export function fateOf(
  properties: Properties,
  id: string | undefined,
  fate: string,
  redact: Redactor,
): string {
  const identified = id ? `id ${shown(id, redact)}, ` : "";
  const rest = `" (${identified}domain ${shown(properties.domainId, redact)}) ${fate}`;
  // Beside the first quotation mark, and the mark of a label that is cut.
  const room = Math.max(MIN_LABEL, MAX_LINE - rest.length - 2);

  return `"${shownLabel(properties, redact, room)}${rest}`;
}

function shown(part: unknown, redact: Redactor, maximum?: number): string {
  return typeof part === "string" && !isUnknown(part) ? sanitizeText(part, redact, maximum) : "?";
}

function shownLabel(properties: Properties, redact: Redactor, maximum?: number): string {
  const { label, secretLabel } = properties;
  return secretLabel === true ? "[secret]" : shown(label, redact, maximum);
}

/**
 * Warning about a field that the service reports otherwise. The declared value is recorded, or every
 * preview would show a change.
 */
export function otherThanDeclared(inputs: Properties, id: string, name: string): string {
  return `${title(inputs, id)}: the service responded with another ${name} than was declared: look at the channel in the service`;
}

/** Channels that are named where the same can be said of many. */
const NAMED = 3;

type Speaker = Pick<OperationContext, "connection" | "warn">;

/**
 * Says what is to become of a channel.
 * @param others the line for all but the first ones
 * @param explanations of the line, which are shown once
 */
export function announce(
  speaker: Speaker,
  line: string,
  others: string,
  ...explanations: string[]
): void {
  const count = speaker.connection.mention(others);
  if (count <= NAMED) tell(speaker, line, ...explanations);
  if (count === NAMED + 1) speaker.warn(others);
}

/** Says what becomes of a channel, unless that was announced. */
export function tell({ connection, warn }: Speaker, line: string, ...explanations: string[]): void {
  if (connection.firstMention(line))
    warn(sentences([line, ...connection.explained(...explanations)]));
}
