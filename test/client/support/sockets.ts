/** Servers below HTTP: what happens to connections before anybody speaks. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { closeLater } from "./cleanup";

/** Listens on a loopback port and hands every connection over. */
export async function startSocketServer(
  onConnection: (socket: Socket) => unknown,
): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });

  return { port: await listen(server, sockets), sockets };
}

/** Listens on a loopback port until the test is over, which ends the connections. */
export async function listen(server: Server, connections: readonly Socket[]): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(async () => {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  return (server.address() as AddressInfo).port;
}

const SLOW_LISTENER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const answer = "HTTP/1.1 401 Unauthorized\\r\\ncontent-length: 0\\r\\n\\r\\n";
  const server = require("node:net").createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

/**
 * Listens on a port of 127.0.0.1 with a full queue of connections until it is told to accept, so
 * that the first packets of others are lost, as if the host were far away. Linux only. Then it
 * answers everybody with 401.
 */
export async function startSlowListener(): Promise<{ port: number; accept: () => void }> {
  const accepting = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SLOW_LISTENER, { eval: true, workerData: accepting });
  const [port] = await once(worker, "message");
  // One more than the backlog.
  const waiting = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  for (const socket of waiting) socket.on("error", () => undefined);
  closeLater(async () => {
    for (const socket of waiting) socket.destroy();
    await worker.terminate();
  });

  await Promise.all(waiting.map((socket) => once(socket, "connect")));
  const accept = () => {
    Atomics.store(accepting, 0, 1);
    Atomics.notify(accepting, 0);
  };

  return { port, accept };
}

/** Connects a client with a port behind, as a proxy does. */
export function passOn(socket: Socket, port: number): void {
  const onward = connect(port, "127.0.0.1");
  onward.on("error", () => socket.destroy());
  closeLater(() => onward.destroy());
  socket.pipe(onward).pipe(socket);
}

/**
 * A port on which nothing listens: a free one may be given to another process meanwhile, such as
 * one of the engine's.
 */
export const CLOSED_PORT = 1;
