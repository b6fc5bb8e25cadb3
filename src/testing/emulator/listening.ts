/** Whether the emulator can be reached: listening, down for a while, or closed for good. The port stays the same. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

const HOST = "127.0.0.1";

/** The listening socket of one emulator. What is asked of it happens in the order asked. */
export class Listening {
  readonly url: string;
  readonly #server: Server;
  readonly #port: number;
  #state: "listening" | "down" | "closed" = "listening";
  #last: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** @throws Error of node:net, with its `code`, where the port cannot be listened on */
  static async start(server: Server, port: number): Promise<Listening> {
    return new Listening(server, await listen(server, port));
  }

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    this.url = `http://${HOST}:${port}`;
  }

  /** Ends every connection and refuses new ones. */
  refuse(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#then(async () => {
      if (this.#state === "listening") await this.#stop("down");
    });
  }

  /** Refuses connections for so long. */
  refuseFor(milliseconds: number): void {
    void this.refuse();
    this.#timer = setTimeout(() => this.acceptSoon(), milliseconds);
  }

  /** Begins to listen again, where nobody waits for it. Another process may have taken the port meanwhile. */
  acceptSoon(): void {
    this.accept().catch((error: Error) => process.emitWarning(`the emulator stays down: ${error.message}`));
  }

  /** Listens again, where it does not. */
  accept(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#then(async () => {
      if (this.#state !== "down") return;
      await listen(this.#server, this.#port);
      this.#state = "listening";
    });
  }

  /** Ends every connection and stops listening, for good. Whoever asks again waits for the same end. */
  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#then(async () => {
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

  #then(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }
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
