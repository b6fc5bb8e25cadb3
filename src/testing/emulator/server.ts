/** The HTTP server on loopback: listening, down for a while, or closed. The port stays the same. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Clock, Ids } from "./sources";

const HOST = "127.0.0.1";

type Handler = Parameters<typeof getRequestListener>[0];

/** The server of one emulator. Its operations run in the order in which they are called. */
export class LoopbackServer {
  readonly url: string;
  readonly #server: Server;
  readonly #port: number;
  #isClosed = false;
  #last: Promise<void> = Promise.resolve();

  /** @throws Error of node:net, with its `code`, where the port cannot be listened on */
  static async start(handler: Handler, port: number, clock: Clock, ids: Ids): Promise<LoopbackServer> {
    const server = serverOf(handler, clock, ids);
    await listen(server, port);
    return new LoopbackServer(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    // An address of a pipe would be text; this server listens on a port.
    this.#port = (server.address() as AddressInfo).port;
    this.url = `http://${HOST}:${this.#port}`;
  }

  /** Ends every connection and refuses new ones. */
  refuse(): Promise<void> {
    return this.#queue(() => this.#stop());
  }

  /** `accept()` without waiting. Warns where another process has taken the port meanwhile. */
  acceptSoon(): void {
    this.accept().catch((error: Error) =>
      process.emitWarning(`the emulator still refuses connections: ${error.message}`),
    );
  }

  /** Listens again. */
  accept(): Promise<void> {
    return this.#queue(async () => {
      if (!this.#isClosed && !this.#server.listening) await listen(this.#server, this.#port);
    });
  }

  /** Ends every connection and stops listening. A second call waits for the first. */
  close(): Promise<void> {
    return this.#queue(() => {
      this.#isClosed = true;
      return this.#stop();
    });
  }

  async #stop(): Promise<void> {
    if (!this.#server.listening) return;
    const stopped = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await stopped;
  }

  #queue(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function serverOf(handler: Handler, clock: Clock, ids: Ids): Server {
  const listener = getRequestListener(handler, {
    // By default it would replace the process's global Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => Response.json({ message: "The request cannot be read." }, { status: 400 }),
  });
  return createServer((request, response) => {
    response.setHeader("X-Request-Id", ids.uuid("request"));
    // By the emulator's clock: clients compare it with dates, for example in Retry-After.
    response.setHeader("Date", clock.now().toUTCString());
    void listener(request, response);
  });
}

/** @throws Error of node:net where the port cannot be listened on */
async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, "listening");
}
