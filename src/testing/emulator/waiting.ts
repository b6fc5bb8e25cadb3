/** Requests that a fault keeps waiting. Their timers and connections end together, so that nothing outlives a reset or a close. */
import type { Socket } from "node:net";

/** The requests of one emulator that wait. */
export class Waiting {
  readonly #sockets = new Map<Socket, Set<NodeJS.Timeout>>();

  /** Waits so long. Goes on when the client has left, as a server would; after `end()` it never goes on. */
  wait(socket: Socket, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timers = this.#timersOf(socket);
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (timers.size === 0) this.#sockets.delete(socket);
        resolve();
      }, milliseconds);
      timers.add(timer);
    });
  }

  /** Keeps a connection open that nothing more is sent on. */
  hold(socket: Socket): void {
    if (socket.destroyed) return;
    const timers = this.#timersOf(socket);
    socket.once("close", () => {
      if (timers.size === 0) this.#sockets.delete(socket);
    });
  }

  /** Ends all of it: what was to be done after a wait is not done. */
  end(): void {
    for (const [socket, timers] of this.#sockets) {
      for (const timer of timers) clearTimeout(timer);
      socket.destroy();
    }
    this.#sockets.clear();
  }

  #timersOf(socket: Socket): Set<NodeJS.Timeout> {
    const timers = this.#sockets.get(socket) ?? new Set();
    this.#sockets.set(socket, timers);
    return timers;
  }
}
