/** What exists in the service, channels and domains alike: reading and deleting it, and what a failure means for it. */

import { DomainMonitoringError } from "../client/errors";
import { sentences } from "../common/text";
import { describe, PartialFailure, type Properties } from "./boundary";
import type { OperationContext } from "./lifecycle";

/** Advice about an answer with this status; undefined if it is no help. */
export type Advice = (status: number) => string | undefined;

export interface Existing extends OperationContext {
  id: string;
  title: string;
  listOf: "account" | "domain";
  /** Whether that list lacks it. @throws DomainMonitoringError if it cannot be read */
  lacks(): Promise<boolean>;
  /** About a resource, or a list, that cannot be read. */
  advice: Advice[];
  /** Whether it is in the state, and not only referred to. */
  isRecorded: boolean;
  /** Said of one that is only referred to, as the engine would take an empty id for success. */
  missing: string;
}

/** Whether a write may have been carried out although it failed, which the client decides. */
export function maybeSent(error: unknown): error is DomainMonitoringError {
  return error instanceof DomainMonitoringError && error.sent === "maybe";
}

/** Whether a write is done: the service answered with success, and only the body of the answer cannot be used. */
export function isDone(error: unknown): boolean {
  // Of an answer that could not be read to its end the status is not known.
  return error instanceof DomainMonitoringError && error.kind === "response" && error.status !== undefined;
}

export function failure(problem: string, error: unknown, ...advice: Advice[]): Error {
  return new Error(sentences([`${problem}: ${describe(error)}`, ...advised(error, advice)]));
}

function advised(error: unknown, advice: readonly Advice[]): string[] {
  const status = error instanceof DomainMonitoringError ? error.status : undefined;
  return status === undefined ? [] : advice.flatMap((each) => each(status) ?? []);
}

/**
 * Whether an error means that the resource is gone. A wrong path in the base address answers 404 to everything, so the list has to
 * lack the resource.
 * @throws Error if that is not clear
 */
export async function isGone(error: unknown, problem: string, existing: Existing): Promise<boolean> {
  if (!(error instanceof DomainMonitoringError) || error.status !== 404) return false;
  const { listOf, isRecorded, advice } = existing;
  const isLacking = await existing.lacks().catch((listError) => {
    const unproven = `${problem}: answered 404, but the ${listOf}'s list, which would prove that it is gone, cannot be read (${describe(listError)}). Correct the base address or the token${isRecorded ? ", or take it out of the state with `pulumi state delete`" : ""}`;
    throw new Error([unproven, ...advised(listError, advice)].join(". "));
  });
  if (!isLacking)
    throw new Error(`${problem}: answered 404, but the ${listOf}'s list still has it: try again`);
  return true;
}

/** Reads a resource; undefined if it is gone. */
export async function readExisting<T>(get: () => Promise<T>, existing: Existing): Promise<T | undefined> {
  try {
    return await get();
  } catch (error) {
    const problem = `${existing.title} is not read`;
    if (!(await isGone(error, problem, existing)))
      throw failure(problem, error, staleToken(existing), ...existing.advice);
    if (!existing.isRecorded) throw new Error(`${problem}: ${existing.missing}`);
    return undefined;
  }
}

/** What a read answers of a resource that is gone, which the engine then drops from the state. */
export const GONE = { id: "", props: {}, inputs: {} };

/** The failure of an update that may have been carried out, and is repeated the next time. */
export function unclearUpdate(
  { id, title }: Existing,
  outs: Properties,
  names: readonly string[],
  error: Error,
): PartialFailure {
  const message = `${title} may or may not be updated: ${error.message}`;
  const next = `The next \`pulumi up\` sends ${names.join(", ")} again`;
  return new PartialFailure(id, outs, sentences([message, next]));
}

/** Deletes a resource. One that cannot be deleted stays in the state. */
export async function deleteExisting(send: () => Promise<void>, existing: Existing): Promise<void> {
  const { id, title, connection, warn } = existing;
  try {
    await send();
  } catch (error) {
    const problem = `${title} is not deleted`;
    const lettingGo: Advice = (status) =>
      status === 401 || status === 429
        ? undefined
        : `To drop it from the state without deleting it, run \`${connection.abandonCommand(id)}\` and \`pulumi up\`, and then repeat this if it was a destroy`;
    if (!(await isGone(error, problem, existing)))
      throw failure(problem, error, staleToken(existing), lettingGo);
    // After a lost answer it was probably this delete.
    if (!maybeSent(error))
      warn(
        `${title} was no longer in the service: it was removed by somebody else, or by an earlier delete whose answer was lost`,
      );
  }
}

function staleToken({ connection }: Existing): Advice {
  return (status) =>
    status === 401 && connection.isTokenRecorded
      ? "Refresh and destroy use the settings of the last `pulumi up`: if the token was replaced since, run that first"
      : undefined;
}
