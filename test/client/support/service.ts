/**
 * A service on a loopback socket that does what it is told, request by request, and counts.
 * It records which requests reached it, and how many channels it would have created.
 */
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { TEST_CERTIFICATE, TEST_KEY } from "./certificate";
import { listen } from "./sockets";
import { channel, domain, page } from "./wire";

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Exchange {
  seen: SeenRequest;
  socket: Socket;

  /** Writes a whole answer with its length. */
  answer(status: number, body: unknown, headers?: Record<string, string>): void;
}

/** The service's reaction to one request. `refuses` where it does so without creating anything. */
export interface Step {
  refuses?: boolean;
  run(exchange: Exchange): void;
}

export interface Service {
  url: string;
  port: number;
  requests: SeenRequest[];
  connections: Socket[];

  /** Channels that exist now: whole creates that were not refused. */
  created: number;

  /** Resolves when so many requests have come in all. */
  arrived(count: number): Promise<void>;
}

/** An answer. A text goes out as it is, anything else as JSON. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return {
    refuses: status >= 300 && status < 500,
    run: (exchange) => exchange.answer(status, body, headers),
  };
}

/** A rate limit of so many seconds. */
export const limited = (seconds: number) => answer(429, {}, { "retry-after": String(seconds) });

/** The right answer to whatever was asked. */
export const succeed: Step = {
  run({ seen, answer }) {
    if (seen.method === "POST") answer(201, { data: channel() });
    else answer(200, domain());
  },
};

/** Creates what was asked for, now. */
export const createAsAsked: Step = {
  run({ seen, answer }) {
    const { label, type } = JSON.parse(seen.body);
    const created_at = new Date().toISOString().slice(0, 19).replace("T", " ");
    answer(201, { data: channel({ label, type, created_at }) });
  },
};

/** A list in pages, which a test may change. */
export function pagesOf(list: { records: unknown[]; perPage: number; links?: object }): Step {
  return {
    run({ seen, answer }) {
      const { records, perPage, links } = list;
      const number = Number(new URL(seen.path, "http://x").searchParams.get("page"));
      const lastPage = Math.max(1, Math.ceil(records.length / perPage));
      const data = records.slice((number - 1) * perPage, number * perPage);
      const meta = { page: number, lastPage, perPage, total: records.length };
      answer(200, page(data, meta, { ...links }));
    },
  };
}

export const reset: Step = { run: ({ socket }) => socket.resetAndDestroy() };
export const fin: Step = { run: ({ socket }) => socket.end() };
export const stall: Step = { run: () => undefined };

/** Raw bytes, and then another step, such as FIN or RST. */
export function raw(text: string, then = stall): Step {
  return { run: (exchange) => exchange.socket.write(text, () => then.run(exchange)) };
}

/** Waits for the gate before it goes on. */
export function held(gate: Promise<unknown>, step: Step): Step {
  return { ...step, run: (exchange) => void gate.then(() => step.run(exchange)) };
}

/** Something that a test opens when it wants. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });

  return { opened, open };
}

/** Starts a service that takes the steps in order; the last one is repeated. */
export async function startService(steps = [succeed], { tls = false } = {}): Promise<Service> {
  const service: Service = { url: "", port: 0, requests: [], connections: [], created: 0, arrived };
  const server = tls
    ? createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY })
    : createHttpServer();

  async function arrived(count: number): Promise<void> {
    while (service.requests.length < count) await once(server, "seen");
  }

  server.on("connection", (socket: Socket) => {
    service.connections.push(socket);
    socket.on("error", () => undefined);
  });

  server.on("request", (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const seen = { method, path, headers, body: Buffer.concat(chunks).toString() };
      const step = steps[Math.min(service.requests.length, steps.length - 1)] ?? succeed;
      service.requests.push(seen);
      if (method === "POST" && !step.refuses) service.created++;
      step.run({
        seen,
        socket: request.socket,
        answer(status, body, given = {}) {
          const text = typeof body === "string" ? body : JSON.stringify(body);
          const length = String(Buffer.byteLength(text));
          const type = "application/json";
          response.writeHead(status, { "content-type": type, "content-length": length, ...given });
          response.end(text);
        },
      });

      server.emit("seen");
    });
  });

  // A keep-alive of node's own would close connections in the middle of a slow test.
  server.keepAliveTimeout = 0;
  service.port = await listen(server, service.connections);
  service.url = `${tls ? "https" : "http"}://127.0.0.1:${service.port}`;

  return service;
}
