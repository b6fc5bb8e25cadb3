/** Servers below HTTP: what happens to connections before anybody speaks. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
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
