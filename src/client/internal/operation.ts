/** An operation of the service, and a call of it as errors and events describe it. */

import type { Quote, Secrets } from "../../common/secrets";
import type { Redactor } from "../../common/text";
import type { OperationName, Sent } from "../errors";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The checks that a text of the service passes before it is shown or recorded. */
export interface Gates {
  /** Removes the token and the operation's secrets from a text. */
  redact: Redactor;

  /** The gate for free texts of the service. */
  quote: Quote;
}

export interface Operation<T> {
  name: OperationName;
  method: Method;

  /** Path with query, from `/api` on. */
  path: string;
  body?: string;

  /** Turns the parsed response into the result. @throws UnexpectedShape */
  read: (response: unknown, gates: Gates) => T;

  /**
   * Any success status will do, unless with an HTML page, and the body is not read: `read` is
   * called without a body.
   */
  ignoresBody?: boolean;

  /** Meanings of the statuses that mean something else for this operation. */
  meanings?: Readonly<Record<number, string>>;

  /**
   * Advice about a response that does not seem to be the service's, if it differs for this
   * operation.
   */
  ifForeign?: string;

  /** Information that the caller needs if a write may have succeeded without a response. */
  uncertaintyHint?: string;

  /** Extracts the id of the created object from a response that is otherwise unusable. */
  identify?: (response: unknown) => string | undefined;

  /** Values of this operation that must not appear in any text. */
  secrets?: Secrets;

  /**
   * Texts that its caller knows and shows, which errors may repeat; the ids in its path are among
   * them.
   */
  publicTexts?: readonly (string | undefined)[];
}

/** A call as its errors and events describe it. */
export interface DescribedCall extends Gates {
  operation: Operation<unknown>;

  /** Path of the base address, without a slash at its end. */
  pathPrefix: string;

  /** Path with query, without the base address; redacted. */
  path: string;
  attempts: number;

  /**
   * `maybe` if a request of this write may have been carried out; takes precedence over what is
   * known of the last one.
   */
  sent?: Sent;
}
