/** The HTTP server on loopback: listening, down for a while, or closed. The port stays the same. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Sources } from "./sources";

const HOST = "127.0.0.1";

/**
 * Starts the server.
 *
 * @throws Error of node:net, with its `code`, where the port cannot be listened on
 */
export async function startServer(
  handler: Parameters<typeof getRequestListener>[0],
  wanted: number,
  { clock, ids }: Sources,
): Promise<LoopbackServer> {
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

  await listen(server, wanted);
  // An address of a pipe would be text; this server listens on a port.
  const { port } = server.address() as AddressInfo;

  return new LoopbackServer(server, port);
}

/** Its methods take effect in the order of their calls. */
class LoopbackServer {
  readonly url: string;
  #isClosed = false;
  #last = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {
    this.url = `http://${HOST}:${port}`;
  }

  /** Ends every connection and refuses new ones. */
  refuse(): Promise<void> {
    return this.#inOrder(() => this.#stop());
  }

  /** Listens again. */
  accept(): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#isClosed && !this.server.listening) await listen(this.server, this.port);
    });
  }

  /** Ends every connection and stops listening. A second call waits for the first. */
  close(): Promise<void> {
    return this.#inOrder(() => {
      this.#isClosed = true;
      return this.#stop();
    });
  }

  async #stop(): Promise<void> {
    if (!this.server.listening) return;

    const stopped = once(this.server, "close");

    this.server.close();
    this.server.closeAllConnections();
    await stopped;
  }

  #inOrder(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);

    return done;
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, "listening");
}
