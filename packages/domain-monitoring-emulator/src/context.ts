/** The data that a request carries from one step to the next. */
import type { HttpBindings } from "@hono/node-server";
import type { StoredDomain } from "./domains";
import type { EmulatedChannel, EmulatorOperation } from "./types";

export interface EmulatorEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Absent where no operation matched. */
    operation?: EmulatorOperation;

    /**
     * The domain that the path names; set before the work, and absent where there is no such
     * domain.
     */
    domain: StoredDomain;

    /**
     * The channel that the path names; set before the work, and absent where the domain has no such
     * channel.
     */
    channel: EmulatedChannel;

    /** Set where a fault has responded without Hono; 0 where nothing was sent. */
    sentStatus?: number;

    /** Set where a reset or close has ended a delay: nothing of the request is done or logged. */
    isAbandoned?: boolean;
  };
}
