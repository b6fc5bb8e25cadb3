/** What is said of failed operations on managed channels, and the meaning of an error for a change that was sent. Pure. */

import { DomainMonitoringError, mayLackOperation } from "../../client/errors";
import { LIFECYCLE_KEY } from "../../names";
import type { Advice } from "../failures";

/** Whether a write is done: the service answered with success, and only the body of the answer cannot be used. */
export function isDone(error: unknown): boolean {
  // Of an answer that could not be read to its end the status is not known.
  return error instanceof DomainMonitoringError && error.kind === "response" && error.status !== undefined;
}

export const SET_CREATE_ONLY: Advice = (status) =>
  mayLackOperation(status)
    ? `lifecycle "managed" (an input, an argument of Provider or stack config ${LIFECYCLE_KEY}) needs a service that lists, ` +
      'reads, changes and deletes channels: set it to "create-only" if this one does not'
    : undefined;

/** Of a channel that is imported, or only referred to. */
export const BY_ID_ALONE: Advice = (status) =>
  mayLackOperation(status)
    ? "A service may lack the operations that read channels: refer to it or import it by the channel's id alone"
    : undefined;

export const REPLACED =
  "adopt names the channel that is to be replaced: remove adopt, so that another one is created";

export const ADOPTED_TWICE =
  "another resource of this program has that channel, or adopts it too: remove one of the two";

export const STAYS_ADOPTED =
  "it was taken over with adopt, so it stays in the service and goes on notifying. To hand a channel over, so that it is deleted " +
  "with its resource, remove adopt and run `pulumi up` first";

export const DUPLICATE =
  "If it is to replace a channel like it and the service refuses a second one, set deleteBeforeReplace in its options";
