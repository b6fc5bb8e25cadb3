/** Starts and stops the local service; the rest of this folder is what it serves. */
import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app";
import { Store } from "./data";
import { exampleDomains } from "./examples";
import { decideFault, type PendingFault, pendingFault } from "./faults";
import type { Emulator, EmulatorOptions, LoggedRequest } from "./types";

export { exampleDomains } from "./examples";
export type * from "./types";

const HOST = "127.0.0.1";

/**
 * Starts the local service on loopback.
 *
 * @throws TypeError for a token that no request could carry
 * @throws RangeError for a fault that could not do anything
 * @throws Error of node:net, with its `code`, where the port cannot be listened on (`EADDRINUSE`)
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const token = options.token ?? randomBytes(20).toString("hex");
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError("the token must be visible ASCII characters without spaces");

  const store = new Store(options.domains ?? exampleDomains);
  const initialFaults: readonly PendingFault[] = (options.faults ?? []).map(pendingFault);
  const requests: LoggedRequest[] = [];
  let faults = initialFaults;

  const app = createApp({
    token,
    store,
    takeFault(operation) {
      const decision = decideFault(faults, operation);
      faults = decision.pending;
      return decision.hit;
    },
    log: (request) => requests.push(request),
  });
  const server = serve(app);
  const port = await listen(server, options.port ?? 0);
  const close = closeOnce(server);

  return {
    url: `http://${HOST}:${port}`,
    token,
    requests,
    channels: (domainId) => store.channels(domainId),
    addDomain: (domain = {}) => store.addDomain(domain),
    addChange: (domainId, kind, change = {}) => store.addChange(domainId, kind, change),
    fault(rule) {
      faults = [...faults, pendingFault(rule)];
    },
    reset() {
      store.reset();
      requests.length = 0;
      faults = initialFaults;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function serve(app: ReturnType<typeof createApp>): Server {
  const listener = getRequestListener(app.fetch, {
    // The default replaces the process's own Request and Response, which are not the emulator's to replace.
    overrideGlobalObjects: false,
    errorHandler: () => Response.json({ message: "The request cannot be read." }, { status: 400 }),
  });
  return createServer((request, answer) => {
    answer.setHeader("X-Request-Id", randomUUID());
    void listener(request, answer);
  });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => {
      server.removeListener("error", reject);
      resolve(portOf(server.address()));
    });
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string")
    throw new TypeError("the server does not listen on a port");
  return address.port;
}

/** Stops listening and ends connections that are kept alive. Whoever asks again waits for the same end. */
function closeOnce(server: Server): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closing;
  };
}
