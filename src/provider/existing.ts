/**
 * Channels and domains that exist in the service: reading and deleting them, and the meaning of a
 * failure.
 */

import { DomainMonitoringError } from "../client/errors";
import { sentences } from "../common/text";
import { ABANDON_KEY } from "../names";
import type { Absence, Account } from "./account";
import { describe, PartialFailure, type Properties } from "./boundary";
import type { OperationContext } from "./connection";

/** Advice about a response with this status; undefined if there is no better one. */
export type Advice = (status: number) => string | undefined;

export interface Existing extends OperationContext {
  id: string;
  title: string;

  /** Whose list shows whether it exists. */
  listOf: "account" | "domain";

  /**
   * The lists' evidence about it. @throws DomainMonitoringError if a list that would show it cannot
   * be read
   */
  absence(): Promise<Absence>;

  /** About a resource, or a list, that cannot be read. */
  advice: Advice[];

  /** Whether it is in the state, and not only referred to. */
  isRecorded: boolean;

  /**
   * Error for a resource that is only referred to: the engine would treat an empty id as success.
   */
  missing: string;
}

/** Whether a write may have been carried out although it failed, which the client decides. */
export function maybeSent(error: unknown): error is DomainMonitoringError {
  return error instanceof DomainMonitoringError && error.sent === "maybe";
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

export function failure(problem: string, error: unknown, ...advice: Advice[]): Error {
  return new Error(sentences([`${problem}: ${describe(error)}`, ...advised(error, advice)]));
}

function advised(error: unknown, advice: readonly Advice[]): string[] {
  const status = error instanceof DomainMonitoringError ? error.status : undefined;
  return status === undefined ? [] : advice.flatMap((each) => each(status) ?? []);
}

/**
 * Whether an error means that the resource is gone. A wrong path in the base address gets 404 for
 * everything, and another account's token for everything of this one, so the service's lists have
 * to show it.
 * @throws Error if that is not clear
 */
export async function isGone(
  error: unknown,
  problem: string,
  existing: Existing,
): Promise<boolean> {
  if (!(error instanceof DomainMonitoringError) || error.status !== 404) return false;

  const absence = await existing.absence().catch((listError) => {
    throw withoutList(problem, listError, existing);
  });

  if (absence === "listed")
    throw new Error(
      `${problem}: got 404, but the ${existing.listOf}'s list still has it: try again`,
    );

  if (absence === "elsewhere") throw atAnotherAddress(problem, existing);
  if (absence === "unproven" && existing.isRecorded) throw inAnotherAccount(problem, existing);

  return true;
}

/**
 * The command to run after `abandonCommand`. Not `pulumi up` in a destroy, because that would
 * create again what has been destroyed already.
 */
const TO_LET_GO = "`pulumi up`, or in a destroy `pulumi destroy --run-program`";

const TO_DROP = "`pulumi refresh --run-program`, which drops it from the state";

function withoutList(
  problem: string,
  listError: unknown,
  { listOf, isRecorded, advice }: Existing,
): Error {
  const unreadable = `the ${listOf}'s list, which would prove that it is gone, cannot be read (${describe(listError)})`;
  const orForget = isRecorded ? ", or take it out of the state with `pulumi state delete`" : "";

  return new Error(
    sentences([
      `${problem}: got 404, but ${unreadable}`,
      `Correct the base address or the token${orForget}`,
      ...advised(listError, advice),
    ]),
  );
}

/** The error for a list that lacks a resource, and may be another account's. */
function inAnotherAccount(problem: string, { id, connection }: Existing): Error {
  return new Error(
    sentences([
      `${problem}: got 404, but none of the domains that were recorded with it are in the list of the token's account`,
      "The API token may be another account's: correct the token or the base address",
      `If it was removed in the service, run \`${connection.abandonCommand(id)}\` and ${TO_DROP}`,
    ]),
  );
}

/** The error for a resource that is not at this address, and may still be at the recorded one. */
function atAnotherAddress(problem: string, { id, connection }: Existing): Error {
  return new Error(
    sentences([
      `${problem}: got 404 at another base address than the one that it was recorded at`,
      "The address may be wrong or another account's: correct it",
      `If the service has moved there, and it was removed since, run \`${connection.abandonCommand(id)}\` and ${TO_DROP}`,
    ]),
  );
}

/** Reads a resource; undefined if it is gone. */
export async function readExisting<T>(
  get: () => Promise<T>,
  existing: Existing,
): Promise<T | undefined> {
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

/** A read returns this for a deleted resource; the engine then removes it from the state. */
export const GONE = { id: "", props: {}, inputs: {} };

/**
 * Drops a resource that stack config names from the state in a refresh, without asking the service.
 */
export function abandon(title: string, warn: OperationContext["warn"]): typeof GONE {
  warn(
    `${title} is dropped from the state, because stack config ${ABANDON_KEY} lists it, and the service is not asked about it. If the ` +
      "program still declares it, the next `pulumi up` creates another one",
  );

  return GONE;
}

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

/**
 * Refuses to change or delete what was recorded at another address: a copy of the service may have
 * something else with the same id.
 * @throws Error if the record tells of another address
 */
export function refuseElsewhere(
  problem: string,
  record: Properties,
  { account }: { account: Account },
): void {
  if (!account.isElsewhere(record)) return;

  throw new Error(
    `${problem}: it was recorded at another base address. Correct the address, or if the service has moved there, run ` +
      "`pulumi refresh --run-program`, which records the new one",
  );
}

/**
 * Deletes a resource. If it cannot be deleted, it stays in the state.
 * @throws Error if the service still has it, or may have it
 */
export async function deleteExisting(send: () => Promise<void>, existing: Existing): Promise<void> {
  const { id, title, connection, warn } = existing;
  try {
    await send();
  } catch (error) {
    const problem = `${title} is not deleted`;
    const lettingGo: Advice = (status) =>
      status === 401 || status === 429
        ? undefined
        : `To drop it from the state without deleting it, run \`${connection.abandonCommand(id)}\` and ${TO_LET_GO}`;

    if (!(await isGone(error, problem, existing)))
      throw failure(problem, error, staleToken(existing), lettingGo);

    // After a lost response it was probably this delete.
    if (!maybeSent(error))
      warn(
        `${title} was no longer in the service: it was removed by somebody else, or by an earlier delete whose response was lost`,
      );
  }
}

function staleToken({ connection }: Existing): Advice {
  return (status) =>
    status === 401 && connection.isTokenRecorded
      ? "Refresh and destroy use the settings of the last `pulumi up`: if the token was replaced since, run that first"
      : undefined;
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

/** The error of a create whose resource exists. @param by by what users find it */
export function unrecordable(
  title: string,
  what: "channel" | "domain",
  by: "label" | "name",
): Error {
  const problem = `${title} was created with an id that cannot be recorded`;
  const fix = `look for the ${what} in the service by its ${by}, and remove it there`;

  return new Error(`${problem}: ${fix}, because the next \`pulumi up\` creates another one`);
}
