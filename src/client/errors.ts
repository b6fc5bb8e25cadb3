/**
 * The one error class of the client: the kind of failure, and the facts needed to handle it.
 *
 * Every text is redacted before it gets here (`common/secrets`), and `cause` is a plain copy without
 * extra properties, so no rendering (message, stack, JSON, `util.inspect`) can contain the token, a
 * destination or a header. There is no property `id`: Pulumi's dynamic provider treats an error
 * that has one as a partly created resource.
 */

import { type InspectOptionsStylized, inspect } from "node:util";

/**
 * A record of a list that cannot be read: a field that its type promises is missing or has another
 * type.
 */
export interface UnreadableRecord {
  /** Its id; null if it has none of 1 to 64 letters, digits, `.`, `_` and `-`. */
  id: string | null;

  /** Name of the domain, if the record is one and has a name. */
  domain?: string;

  /** Position in the list, from 1. */
  position: number;

  /**
   * The fields, and what was expected of them, without values: such as `components.ssl: expected an
   * object`.
   */
  problem: string;
}

/** Advice about a response that does not have the interface's shape. */
export const MAY_HAVE_CHANGED = "the service may have changed: update this package, or report it";

/**
 * - `http`: the service responded with a status that is not a success.
 * - `transport`: no complete response arrived: connection refused, reset or interrupted, TLS,
 *   proxy.
 * - `timeout`: no response in the time of the call or of its attempts, or a rate limit that lasts
 *   longer than the call may take.
 * - `aborted`: the caller's signal ended the call.
 * - `response`: the response is not JSON or has the wrong shape, including records of a list.
 * - `configuration`: the base address, the token or an option is missing or malformed.
 * - `validation`: the arguments of a call break the interface's rules; nothing was sent.
 */
export type ErrorKind =
  | "http"
  | "transport"
  | "timeout"
  | "aborted"
  | "response"
  | "configuration"
  | "validation";

/**
 * Whether the last request was sent: `no` is certain, `maybe` means that its response was lost,
 * `yes` that a response arrived. For a create, an update or a delete, `maybe` means that any
 * request of the call may have been carried out: its response was lost, cannot be read, or is not a
 * refusal (3xx, 408, 499, or from 500 on). A call that ends while waiting to retry after a response
 * reports `no`: the service refused that request.
 */
export type Sent = "no" | "maybe" | "yes";

/** The operations, as the client names them. The last seven are experimental. */
export type OperationName =
  | "domains.get"
  | "whoisChanges.list"
  | "dnsChanges.list"
  | "notificationChannels.create"
  | "domains.list"
  | "notificationChannels.list"
  | "notificationChannels.get"
  | "notificationChannels.update"
  | "notificationChannels.delete"
  | "domains.create"
  | "domains.update";

/**
 * Errors whose response a firewall or a proxy sent in place of the service. Not a property, which a
 * rendering would show.
 */
export const FOREIGN = new WeakSet<DomainMonitoringError>();

/** Whether a status may mean that the service lacks an operation. */
export function mayLackOperation(status: number): boolean {
  return [403, 404, 405].includes(status);
}

/**
 * Every copy of this package finds this mark on the errors of the others, where `instanceof` finds
 * only its own.
 */
const MARK = Symbol.for("pulumi-domain-monitoring.DomainMonitoringError");

/**
 * Thrown by every method of the client. The first line of `message` says what happened and what to
 * do.
 */
export class DomainMonitoringError extends Error {
  /** Always `DomainMonitoringError`. */
  override readonly name = "DomainMonitoringError";

  /** Kind of failure: see {@link ErrorKind}. */
  readonly kind: ErrorKind;

  /** Operation that was requested. */
  declare readonly operation?: OperationName;

  /** HTTP method. */
  declare readonly method?: string;

  /** Path with query, without the base address. */
  declare readonly path?: string;

  /**
   * HTTP status of the last response; unknown if that was too large or not HTTP, or was an HTML
   * page after a write.
   */
  declare readonly status?: number;

  /** The service's texts by the wire's field name (422). */
  declare readonly fieldErrors?: Record<string, string[]>;

  /** `X-Request-Id` of the last response, if it is an id. */
  declare readonly requestId?: string;

  /** Time that the service asked to wait, in milliseconds. */
  declare readonly retryAfterMs?: number;

  /** Number of requests that were made. */
  declare readonly attempts?: number;

  /** Whether the last request was sent: see {@link Sent}. */
  declare readonly sent?: Sent;

  /** Id of a channel that was created although the rest of the response could not be used. */
  declare readonly channelId?: string;

  /** Records of a list that cannot be read; `iterate` has returned all others. */
  declare readonly unreadable?: readonly UnreadableRecord[];

  /** The underlying error: a plain copy, redacted. */
  declare readonly cause?: unknown;

  /**
   * Whether this is an error of this package, from whichever of its copies. Then `kind` says which
   * facts are known: after `error.kind === "http"`, `error.status` is a number.
   */
  static isInstance(error: unknown): error is DomainMonitoringFailure {
    return typeof error === "object" && error !== null && MARK in error;
  }

  constructor(kind: ErrorKind, message: string, { cause, ...facts }: ErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    for (const [name, fact] of Object.entries(facts)) {
      if (fact !== undefined) Object.defineProperty(this, name, { value: fact, enumerable: true });
    }
  }

  /** For logs: by default `JSON.stringify` omits the message of an Error. */
  toJSON(): Record<string, unknown> {
    const facts: Record<string, unknown> = Object.fromEntries(Object.entries(this));
    if (this.cause instanceof Error) facts.cause = this.cause.message;

    return { message: this.message, ...facts };
  }
}

// On the prototype, so that no rendering shows it.
Object.defineProperty(DomainMonitoringError.prototype, MARK, { value: true });

/**
 * Output of `util.inspect`, even when the error is the cause of another one. Without color:
 * Pulumi's runtime inspects uncaught errors in color, and Node 20.20 and 22.23 take gigabytes to
 * color some stacks.
 */
Object.defineProperty(DomainMonitoringError.prototype, inspect.custom, {
  value(
    this: DomainMonitoringError,
    depth: number,
    { stylize: _, ...options }: InspectOptionsStylized,
  ) {
    return inspect(this, {
      ...options,
      depth,
      colors: false,
      customInspect: false,
    });
  },
});

/** Everything that may be known about a failed call. */
export type ErrorFacts = Pick<
  DomainMonitoringError,
  | CallFact
  | "status"
  | "fieldErrors"
  | "requestId"
  | "retryAfterMs"
  | "channelId"
  | "unreadable"
  | "cause"
>;

type CallFact = "operation" | "method" | "path" | "attempts" | "sent";

/** An error of which these facts are known. */
type Known<Fact extends keyof ErrorFacts> = DomainMonitoringError &
  Required<Pick<ErrorFacts, Fact>>;

/** The service responded with an error status. */
export interface HttpFailure extends Known<CallFact | "status"> {
  readonly kind: "http";

  /** `maybe` if a write may have been carried out anyway. */
  readonly sent: "yes" | "maybe";
}

/**
 * No response arrived: the connection failed, the deadline passed, or the caller ended the call.
 */
export interface NoResponseFailure extends Known<CallFact> {
  readonly kind: "transport" | "timeout" | "aborted";
  readonly sent: "no" | "maybe";
}

/** The response, or a list over several responses, cannot be used. */
export interface ResponseFailure extends Known<"operation"> {
  readonly kind: "response";
}

/** An option, a setting or an argument is not valid. */
export interface InputFailure extends DomainMonitoringError {
  readonly kind: "configuration" | "validation";
}

/** A {@link DomainMonitoringError}, discriminated by `kind`. */
export type DomainMonitoringFailure =
  | HttpFailure
  | NoResponseFailure
  | ResponseFailure
  | InputFailure;
