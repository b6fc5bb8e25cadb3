/** The HTTP server on loopback: listening, down for a while, or closed. The port stays the same. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Ids } from "./data/ids";
import type { Clock } from "./data/time";

const HOST = "127.0.0.1";

type Answer = Parameters<typeof getRequestListener>[0];

/** The server of one emulator. Its operations run in the order in which they are called. */
export class LoopbackServer {
  readonly url: string;
  readonly #server: Server;
  readonly #port: number;
  #state: "listening" | "down" | "closed" = "listening";
  #last: Promise<void> = Promise.resolve();

  /** @throws Error of node:net, with its `code`, where the port cannot be listened on */
  static async start(answer: Answer, port: number, clock: Clock, ids: Ids): Promise<LoopbackServer> {
    const server = serverOf(answer, clock, ids);
    return new LoopbackServer(server, await listen(server, port));
  }

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    this.url = `http://${HOST}:${port}`;
  }

  /** Ends every connection and refuses new ones. */
  refuse(): Promise<void> {
    return this.#queue(async () => {
      if (this.#state === "listening") await this.#stop("down");
    });
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
      if (this.#state !== "down") return;
      await listen(this.#server, this.#port);
      this.#state = "listening";
    });
  }

  /** Ends every connection and stops listening. A second call waits for the first. */
  close(): Promise<void> {
    return this.#queue(async () => {
      if (this.#state === "listening") await this.#stop("closed");
      this.#state = "closed";
    });
  }

  #stop(state: "down" | "closed"): Promise<void> {
    this.#state = state;
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #queue(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function serverOf(answer: Answer, clock: Clock, ids: Ids): Server {
  const listener = getRequestListener(answer, {
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
