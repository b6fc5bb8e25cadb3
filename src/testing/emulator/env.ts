/** What the emulator's handlers share in a request's context. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { StoredDomain } from "./seeds";
import type { OperationName } from "./types";

/** Hono's environment of the emulator's application. */
export interface EmulatorEnv {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse };
  Variables: {
    /** Absent where no operation of the interface matched. */
    operation?: OperationName;
    /** The domain that the path names; there before any work is done, and absent where there is none. */
    domain: StoredDomain;
    /** Set where a fault has answered past Hono; 0 where nothing was sent. */
    sentStatus?: number;
  };
}
