/** An operation of the service, and what is known of a call of it. */
import type { OperationName } from "../errors";
import type { Method } from "./retry";

/** An operation, ready to send. */
export interface Operation<T> {
  name: OperationName;
  method: Method;
  /** Path with query, from `/api` on. */
  path: string;
  /** JSON text. */
  body?: string;
  /** Turns the parsed answer into the result. @throws UnexpectedShape */
  read: (answer: unknown) => T;
  /** Any answer of success will do: `read` is called without one. */
  ignoresBody?: boolean;
  /** Meanings of the statuses that mean something else for this operation. */
  meanings?: Readonly<Record<number, string>>;
  /** Advice about an answer that seems not to be the service's, if it differs for this operation. */
  ifForeign?: string;
  /** Information that the caller needs if a write may have succeeded without an answer. */
  uncertaintyHint?: string;
  /** Extracts the id of the created object from an answer that is otherwise unusable. */
  identify?: (answer: unknown) => string | undefined;
  /** Values of this operation that must not appear in any text. */
  secrets?: readonly (string | null | undefined)[];
}

/** A call as its errors and events describe it. */
export interface DescribedCall {
  operation: Operation<unknown>;
  /** Path of the base address, without a slash at its end. */
  pathPrefix: string;
  /** Requests made so far. */
  attempts: number;
  /** The token that is sent, which answers may repeat; undefined if it is not known yet. */
  token: string | undefined;
  /** Whether a request of this write may have been carried out, regardless of what became of the last one. */
  maybeDone?: boolean;
}
