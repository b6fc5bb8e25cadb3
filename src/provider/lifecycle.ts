/** The operations of a lifecycle of channels. */
import type { Properties, ResourceProvider } from "./boundary";

/** Records and declarations are as the engine sends them. */
export interface ChannelLifecycle
  extends Pick<ResourceProvider, "create" | "read" | "update" | "delete"> {
  /**
   * Warning, once in a run, if channels are to be recorded with this lifecycle instead of the
   * other.
   */
  readonly entered: string;

  /** Called for every valid declaration that is to be created. */
  declared(inputs: Properties): Promise<void>;

  /**
   * Called for every comparison with a declaration of this lifecycle. Returns the inputs whose
   * change needs another channel, and the ones that are to be set anew although nothing has
   * changed.
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

  /** Whether the channel of a removed record is deleted in the service. */
  deletes(props: Properties): boolean;
}
