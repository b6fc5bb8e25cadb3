/**
 * The operations on the channels of one lifecycle. The provider uses that of the record, or of the
 * declaration if there is a new one; `create-only.ts` is the default, and `managed/` is
 * experimental.
 */
import type { CallOptions } from "../client/requests";
import type { Redactor } from "../common/secrets";
import type { Properties, ResourceProvider } from "./boundary";
import type { Connection } from "./connection";

/** Shared by the operations of a provider. */
export interface OperationContext {
  connection: Connection;

  /** Shows a line. */
  warn: (line: string) => void;
  call?: Pick<CallOptions, "timeoutMs" | "secrets">;
}

/** Shared by the operations of a call. */
export interface ChannelContext extends OperationContext {
  /** Removes the destinations that the call knows: current and previous ones. */
  redact: Redactor;
}

/** The operations. Records and declarations are as the engine sends them. */
export interface ChannelLifecycle
  extends Pick<ResourceProvider, "create" | "read" | "update" | "delete"> {
  /**
   * Warning, once in a run, if channels are to be recorded with this lifecycle instead of the
   * other.
   */
  readonly entered: string;

  /** Warning about a channel that is imported by its id alone. */
  readonly imported: string;

  /** Called for every valid declaration of this lifecycle, before it is compared or created. */
  declared?(inputs: Properties, isNew: boolean): void;

  /**
   * Called for every comparison with a declaration of this lifecycle. Returns the inputs whose
   * change needs another channel, and those that are to be set anew although nothing has changed.
   * @param sent inputs that are sent to the service and have changed, or are unknown
   */
  compare(
    id: string,
    olds: Properties,
    news: Properties,
    sent: readonly string[],
  ): { replaces: readonly string[]; again: readonly string[] };

  /**
   * Called for a channel of this lifecycle that is to be replaced. @throws Error if it refuses that
   */
  replaced(id: string, olds: Properties, news: Properties, replaces: readonly string[]): void;
}
