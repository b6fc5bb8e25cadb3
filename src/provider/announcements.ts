/**
 * Warnings that many channels of a run may have. A preview names the first ones of a kind, and has
 * one line for all others, which the engine lists and counts. An update names each channel that it
 * leaves in the service or takes over, because its id may stand nowhere else afterwards. No line is
 * shown twice, so both use the same words.
 */
import { sentences } from "../common/text";
import type { OperationContext } from "./connection";

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
