/** The errors for responses of success that do not match the interface. */

import { type DomainMonitoringError, MAY_HAVE_CHANGED } from "../errors";
import { OVERSIZED } from "./attempt";
import {
  CHECK_ADDRESS,
  failure,
  type MessageParts,
  requestIdOf,
  sanitizeError,
  usableId,
} from "./failure";
import type { DescribedCall } from "./operation";
import type { FailedAttempt, HttpResponse } from "./retry";

/**
 * Thrown by an operation's `read` for JSON of the wrong shape. Its message names fields, never
 * values.
 */
export class UnexpectedShape extends Error {
  /**
   * @param foreign whether the response has none of the expected fields, so that it is probably not
   * the service's
   */
  constructor(
    message: string,
    readonly foreign: boolean,
  ) {
    super(message);
  }
}

/** A response that is too large, or not HTTP. */
export function unusableFailure(
  call: DescribedCall,
  { code, cause }: FailedAttempt,
  maxResponseBytes: number,
): DomainMonitoringError {
  const parts: MessageParts =
    code === OVERSIZED
      ? [
          `the response is larger than ${maxResponseBytes} bytes`,
          `${CHECK_ADDRESS}, or raise maxResponseBytes`,
        ]
      : ["got something other than HTTP", CHECK_ADDRESS];

  return responseFailure(call, parts, { cause });
}

/** A response that is not the JSON that was asked for. @param isPage whether it is an HTML page */
export function notJsonFailure(
  call: DescribedCall,
  response: HttpResponse,
  isPage: boolean,
): DomainMonitoringError {
  const { method, ifForeign = CHECK_ADDRESS } = call.operation;
  const { status, body } = response;
  const got = `got ${status} with`;
  if (isPage)
    // Drop the status for writes: an HTML page's 200 does not prove that the service did anything.
    return responseFailure(call, [`${got} an HTML page instead of JSON`, ifForeign], {
      response: method === "GET" ? response : undefined,
    });

  const what = body === "" ? "an empty body" : "text";

  return responseFailure(call, [`${got} ${what} instead of JSON`, ifForeign], { response });
}

/** JSON of the wrong shape. */
export function shapeFailure(
  call: DescribedCall,
  response: HttpResponse,
  parsed: unknown,
  error: UnexpectedShape,
): DomainMonitoringError {
  const { identify, ifForeign = CHECK_ADDRESS } = call.operation;
  const parts: MessageParts = [
    `got ${response.status} with JSON of an unexpected shape (${error.message})`,
    error.foreign ? ifForeign : MAY_HAVE_CHANGED,
  ];

  return responseFailure(call, parts, {
    response,
    cause: error,
    channelId: identify?.(parsed),
  });
}

/** The response does not match the interface. The message contains no values. */
function responseFailure(
  call: DescribedCall,
  [problem, advice]: MessageParts,
  known: { response?: HttpResponse; cause?: unknown; channelId?: string } = {},
): DomainMonitoringError {
  const { response, cause } = known;
  const { redact } = call;
  const channelId = usableId(known.channelId, redact);
  const created = known.channelId && createdWith(channelId);

  return failure(call, "response", [problem, advice, created], {
    status: response?.status,
    requestId: response && requestIdOf(response.headers, redact),
    channelId,
    sent: channelId === undefined && call.operation.method !== "GET" ? "maybe" : "yes",
    cause: cause === undefined ? undefined : sanitizeError(cause, redact),
  });
}

function createdWith(id: string | undefined): string {
  return id === undefined
    ? "The channel was created with an id that cannot be recorded"
    : `The channel was created with the id ${id}`;
}
