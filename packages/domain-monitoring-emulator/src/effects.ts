/** The effects of a fault on a request that it hits. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Next } from "hono";
import type { EmulatorEnv } from "./context";
import { STATUSES_WITHOUT_BODY } from "./faults";
import type { BreakingPoint, FaultRule } from "./types";

/** Not valid UTF-8, and not JSON in any other encoding. */
const GARBAGE = Buffer.from([
  0xff, 0xfe, 0x00, 0xc3, 0x28, 0x7b, 0xa0, 0xa1, 0x00, 0xf0, 0x28, 0x8c,
]);

/**
 * Handles one request under a fault: delay, work, change the response, send it. A `status` replaces
 * the work. Hono sends the response unless the fault cuts it off.
 */
export async function applyFault(
  fault: FaultRule,
  c: Context<EmulatorEnv>,
  next: Next,
  held: HeldRequests,
): Promise<void> {
  const point = fault.reset ?? fault.stall;
  if (fault.delayMs !== undefined && !(await held.delay(c.env.incoming.socket, fault.delayMs))) {
    c.set("isAbandoned", true);
    replaceResponse(c, RESPONSE_ALREADY_SENT);

    return;
  }

  if (point !== "before") {
    if (fault.status === undefined) await next();
    else c.res = faultResponse(fault, fault.status);

    await shapeResponse(fault, c);
  }

  if (point !== undefined) await sendUntil(point, c);
  if (fault.stall !== undefined) held.hold(c.env.incoming.socket);
  // After the data is flushed: destroying the socket at once would discard it.
  else if (fault.reset !== undefined) c.env.incoming.socket.destroySoon();
}

function faultResponse({ body }: FaultRule, status: number): Response {
  if (STATUSES_WITHOUT_BODY.includes(status)) return new Response(null, { status });
  if (typeof body === "string")
    return new Response(body, { status, headers: { "Content-Type": "text/html; charset=UTF-8" } });

  return Response.json(body === undefined ? { message: STATUS_CODES[status] ?? "Fault" } : body, {
    status,
  });
}

async function shapeResponse(
  { garbage, truncate, headers }: FaultRule,
  c: Context<EmulatorEnv>,
): Promise<void> {
  // A response such as a delete's 204 has no body that could be damaged.
  const hasBody = !STATUSES_WITHOUT_BODY.includes(c.res.status);
  if (hasBody && (garbage || truncate !== undefined)) {
    const body = garbage ? GARBAGE : Buffer.from(await c.res.arrayBuffer());
    const response = new Response(body.subarray(0, truncate), c.res);
    response.headers.delete("Content-Length");
    replaceResponse(c, response);
  }

  for (const [name, value] of Object.entries(headers ?? {})) c.res.headers.set(name, value);
}

/** Announces the whole response, or nothing, and sends the part before the breaking point. */
async function sendUntil(point: BreakingPoint, c: Context<EmulatorEnv>): Promise<void> {
  const { status, headers } = c.res;
  const body = Buffer.from(await c.res.arrayBuffer());
  const { outgoing } = c.env;
  const isSilent = point === "before" || point === "after";

  c.set("sentStatus", isSilent ? 0 : status);
  replaceResponse(c, RESPONSE_ALREADY_SENT);
  if (isSilent) return;

  const length = STATUSES_WITHOUT_BODY.includes(status) ? {} : { "Content-Length": body.length };

  outgoing.writeHead(status, { ...Object.fromEntries(headers), ...length });
  outgoing.flushHeaders();
  if (point === "body") outgoing.write(body.subarray(0, body.length / 2));
}

/** Hono merges the headers of the former response into the new one, so that is removed first. */
function replaceResponse(c: Context<EmulatorEnv>, response: Response): void {
  c.res = undefined;
  c.res = response;
}

/**
 * Requests that faults delay or stall. Their timers and connections end together, so that none
 * outlives a reset or close.
 */
export class HeldRequests {
  readonly #held = new Set<{ end(): void }>();

  /** Waits even if the client has disconnected, as a server would. False if `end()` comes first. */
  delay(socket: Socket, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#held.delete(request);
        resolve(true);
      }, milliseconds);

      const request = {
        end() {
          clearTimeout(timer);
          socket.destroy();
          resolve(false);
        },
      };

      this.#held.add(request);
    });
  }

  /** Keeps a connection open and silent. */
  hold(socket: Socket): void {
    // The client may have left during a delay, and "close" would not come again.
    if (socket.destroyed) return;

    const request = { end: () => socket.destroy() };
    this.#held.add(request);
    socket.once("close", () => this.#held.delete(request));
  }

  /** Ends them: what would follow a delay is not done. */
  end(): void {
    for (const request of this.#held) request.end();
    this.#held.clear();
  }
}
