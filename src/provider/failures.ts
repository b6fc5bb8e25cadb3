/** The meaning of a failed call about a channel or a domain, and its message. */

import { DomainMonitoringError, FOREIGN } from "../client/errors";
import { sentences, type Warn } from "../common/text";
import { ABANDON_KEY } from "../names";
import { describe, PartialFailure, type Properties } from "./boundary";
import type { Connection } from "./connection";

/** Advice about a response with this status; undefined if there is no better one. */
export type Advice = (status: number) => string | undefined;

/** Whether a write may have been carried out although it failed, which the client decides. */
export function maybeSent(error: unknown): error is DomainMonitoringError {
  return error instanceof DomainMonitoringError && error.sent === "maybe";
}

/** Whether the service has nothing at this path, which alone does not prove that it is gone. */
export function isNotFound(error: unknown): boolean {
  return error instanceof DomainMonitoringError && error.status === 404;
}

/**
 * Whether a write is done: the service responded with success, and only the body of the response
 * cannot be used.
 */
function isDone(error: unknown): boolean {
  // The status of a response that could not be read to its end is not known.
  return (
    error instanceof DomainMonitoringError &&
    error.kind === "response" &&
    error.status !== undefined
  );
}

export function failedWith(problem: string, error: unknown, ...advice: Advice[]): Error {
  return new Error(sentences([`${problem}: ${describe(error)}`, ...advised(error, advice)]));
}

export function advised(error: unknown, advice: readonly Advice[]): string[] {
  const isService = error instanceof DomainMonitoringError && !FOREIGN.has(error);
  const status = isService ? error.status : undefined;

  return status === undefined ? [] : advice.flatMap((each) => each(status) ?? []);
}

/** Advice about a token that may be the last update's. */
export function staleToken(connection: Connection): Advice {
  return (status) =>
    status === 401 && connection.isTokenRecorded
      ? "Refresh and destroy use the settings of the last `pulumi up`: if the token was replaced since, run that first"
      : undefined;
}

/** A read returns this for a deleted resource; the engine then removes it from the state. */
export const GONE = { id: "", props: {}, inputs: {} };

/** Drops a channel that stack config names from the state, without asking the service. */
export function abandoned(title: string, warn: Warn): typeof GONE {
  warn(
    `${title} is dropped from the state, because ${ABANDON_KEY} lists it, and the service is not asked about it. If the ` +
      "program still declares it, the next `pulumi up` creates another one",
  );

  return GONE;
}

/** The engine would replace what it only has to update, and so create another object. */
export const UNLESS_REPLACED =
  "unless the resource has the option replaceOnChanges: take that out first";

/** The failure of an update that may have been carried out, and is repeated the next time. */
export function unclearUpdate(
  { id, title }: { id: string; title: string },
  outs: Properties,
  names: readonly string[],
  error: Error,
): PartialFailure {
  const message = `${title} may or may not be updated: ${error.message}`;
  const next = `The next \`pulumi up\` sends ${names.join(", ")} again, ${UNLESS_REPLACED}`;

  return new PartialFailure(id, outs, sentences([message, next]));
}

/**
 * The result of an update. If it succeeded but its response is unusable, one more request reads what
 * was updated.
 */
export async function updated<T>(update: () => Promise<T>, read: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    const found = isDone(error) && (await read().catch(() => undefined));
    if (found) return found;

    throw error;
  }
}
