/** Failed operations on resources that are read, changed and deleted: what an error means for them, and what is said of it. */

import { DomainMonitoringError } from "../client/errors";
import { sentences } from "../common/text";
import { describe } from "./boundary";

/** Whether a write may have been carried out although it failed, which the client decides. */
export function maybeDone(error: unknown): error is DomainMonitoringError {
  return error instanceof DomainMonitoringError && error.sent === "maybe";
}

/** Advice about an answer with this status; undefined if it is no help. */
export type Advice = (status: number) => string | undefined;

/** @param command returns the command that makes a delete let the resource go */
export function lettingGo(command: () => string): Advice {
  return (status) =>
    status === 401 || status === 429
      ? undefined
      : `To let it go without deleting it, run \`${command()}\` and \`pulumi up\`, and then repeat this if it was a destroy`;
}

/** @param isRecorded whether the state keeps the token */
export function staleToken(isRecorded: boolean): Advice {
  return (status) =>
    isRecorded && status === 401
      ? "Refresh and destroy use the settings of the last `pulumi up`: if the token was replaced since, run that first"
      : undefined;
}

/** The error of an operation: the problem, its cause, and the advice that applies. */
export function failure(problem: string, error: unknown, ...advice: Advice[]): Error {
  return new Error(sentences([`${problem}: ${describe(error)}`, ...advised(error, advice)]));
}

function advised(error: unknown, advice: readonly Advice[]): string[] {
  const status = error instanceof DomainMonitoringError ? error.status : undefined;
  return status === undefined ? [] : advice.flatMap((each) => each(status) ?? []);
}

/** The list that a resource is in. */
interface Listed {
  /** Whose list it is. */
  of: "account" | "domain";
  /** Whether the list lacks the resource. @throws DomainMonitoringError if it cannot be read */
  lacks(): Promise<boolean>;
  /** Whether the resource is in the state, and not only referred to. */
  isRecorded: boolean;
  /** About a list that cannot be read. */
  advice: Advice[];
}

/**
 * Whether an error means that a resource is gone. A wrong path in the base address answers 404 to everything, so the list has to
 * lack the resource.
 * @throws Error if that is not clear
 */
export async function isGone(
  error: unknown,
  problem: string,
  { of, lacks, isRecorded, advice }: Listed,
): Promise<boolean> {
  if (!(error instanceof DomainMonitoringError) || error.status !== 404) return false;
  let isLacking: boolean;
  try {
    isLacking = await lacks();
  } catch (listError) {
    const unproven = `${problem}: answered 404, but the ${of}'s list, which would prove that it is gone, cannot be read (${describe(listError)}). Correct the base address or the token${isRecorded ? ", or take it out of the state with `pulumi state delete`" : ""}`;
    throw new Error([unproven, ...advised(listError, advice)].join(". "));
  }
  if (!isLacking) throw new Error(`${problem}: answered 404, but the ${of}'s list still has it: try again`);
  return true;
}
