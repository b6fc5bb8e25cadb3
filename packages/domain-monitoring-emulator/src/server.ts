/** The HTTP server on loopback: listening, down for a while, or closed. The port stays the same. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Sources } from "./sources";

const HOST = "127.0.0.1";

/**
 * Calls of `refuse`, `accept` and `close` take effect in order.
 *
 * @throws Error of node:net, with its `code`, where the port cannot be listened on
 */
export async function startServer(
  handler: Parameters<typeof getRequestListener>[0],
  wanted: number,
  { clock, ids }: Sources,
) {
  const listener = getRequestListener(handler, {
    // By default it would replace the process's global Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => Response.json({ message: "The request cannot be read." }, { status: 400 }),
  });

  const server = createServer((request, response) => {
    response.setHeader("X-Request-Id", ids.uuid("request"));
    // By the emulator's clock: clients compare it with dates, for example in Retry-After.
    response.setHeader("Date", clock.now().toUTCString());
    void listener(request, response);
  });

  const listen = async (port: number) => {
    server.listen(port, HOST);
    await once(server, "listening");
  };

  const stop = async () => {
    if (!server.listening) return;

    const stopped = once(server, "close");

    server.close();
    server.closeAllConnections();
    await stopped;
  };

  await listen(wanted);
  // An address of a pipe would be text; this server listens on a port.
  const { port } = server.address() as AddressInfo;
  let isClosed = false;
  let last = Promise.resolve();
  const inOrder = (step: () => Promise<void>) => {
    const done = last.then(step);
    last = done.catch(() => undefined);

    return done;
  };

  return {
    url: `http://${HOST}:${port}`,
    /** Ends every connection and refuses new ones. */
    refuse: () => inOrder(stop),
    /** Listens again. */
    accept: () =>
      inOrder(async () => {
        if (!isClosed && !server.listening) await listen(port);
      }),
    /** Ends every connection and stops listening. A second call waits for the first. */
    close: () =>
      inOrder(() => {
        isClosed = true;
        return stop();
      }),
  };
}
