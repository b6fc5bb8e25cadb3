/** What a fault does to a request that it hits. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Next } from "hono";
import type { EmulatorEnv } from "./env";
import { STATUSES_WITHOUT_BODY } from "./fault-check";
import type { FaultRule } from "./fault-types";
import type { Waiting } from "./waiting";

/** What faults reach beyond their own request. */
export interface BreakageParts {
  waiting: Waiting;
  /** Ends every connection and refuses new ones for so many milliseconds. */
  refuseFor(milliseconds: number): void;
}

/** Bytes that no decoder takes for UTF-8, and that are no JSON in any other encoding either. */
const GARBAGE = Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x7b, 0xa0, 0xa1, 0x00, 0xf0, 0x28, 0x8c]);

/**
 * Runs one request under a fault, in the order in which a request goes: wait, work, shape the answer, send it. A status
 * takes the place of the work. Only an answer that is sent whole and at once is left to Hono.
 */
export async function applyFault(
  fault: FaultRule,
  c: Context<EmulatorEnv>,
  next: Next,
  { waiting, refuseFor }: BreakageParts,
): Promise<void> {
  const { socket } = c.env.incoming;
  if (fault.delayMs !== undefined) await waiting.wait(socket, fault.delayMs);
  if (fault.refuseMs !== undefined) {
    refuseFor(fault.refuseMs);
    return endSilently(fault, c, waiting);
  }
  if (endsAt(fault, "before")) return endSilently(fault, c, waiting);
  if (fault.status === undefined) await next();
  else c.res = faultAnswer(fault, fault.status);
  if (endsAt(fault, "after")) return endSilently(fault, c, waiting);
  await shapeAnswer(fault, c);
  if (fault.reset !== undefined || fault.stall !== undefined || fault.drip !== undefined)
    await sendInParts(fault, c, waiting);
}

function endsAt({ reset, stall }: FaultRule, point: "before" | "after"): boolean {
  return reset === point || stall === point;
}

function faultAnswer({ body }: FaultRule, status: number): Response {
  if (STATUSES_WITHOUT_BODY.includes(status)) return new Response(null, { status });
  const isText = typeof body === "string";
  const content = body === undefined ? { message: STATUS_CODES[status] ?? "Fault" } : body;
  const answer = new Response(isText ? body : JSON.stringify(content), { status });
  answer.headers.set("Content-Type", isText ? "text/html; charset=UTF-8" : "application/json");
  return answer;
}

async function shapeAnswer(
  { garbage, truncate, contentType, headers }: FaultRule,
  c: Context<EmulatorEnv>,
): Promise<void> {
  if (garbage || truncate !== undefined) {
    const body = garbage ? GARBAGE : Buffer.from(await c.res.arrayBuffer());
    const answer = new Response(body.subarray(0, truncate), c.res);
    answer.headers.delete("Content-Length");
    replaceAnswer(c, answer);
  }
  if (contentType !== undefined) c.res.headers.set("Content-Type", contentType);
  for (const [name, value] of Object.entries(headers ?? {})) c.res.headers.set(name, value);
}

/** Ends the connection, or leaves it open, before anything was sent. */
function endSilently(fault: FaultRule, c: Context<EmulatorEnv>, waiting: Waiting): void {
  const { socket } = c.env.incoming;
  markAsSent(c, 0);
  if (fault.stall === undefined) socket.destroy();
  else waiting.hold(socket);
}

/** Promises the whole answer, and sends as much of it as the fault lets through, at its pace. */
async function sendInParts(fault: FaultRule, c: Context<EmulatorEnv>, waiting: Waiting): Promise<void> {
  const { status, headers } = c.res;
  const body = Buffer.from(await c.res.arrayBuffer());
  const { incoming, outgoing } = c.env;
  markAsSent(c, status);
  outgoing.writeHead(status, { ...Object.fromEntries(headers), "Content-Length": body.length });
  outgoing.flushHeaders();
  // Not waited for: the request is answered as far as its log is concerned, however long its body takes.
  void sendBody(fault, body, incoming.socket, outgoing, waiting);
}

async function sendBody(
  { reset, stall, drip }: FaultRule,
  body: Buffer,
  socket: Socket,
  outgoing: ServerResponse,
  waiting: Waiting,
): Promise<void> {
  const point = reset ?? stall;
  const sent = body.subarray(0, point === "headers" ? 0 : point === "body" ? body.length / 2 : undefined);
  const chunkBytes = drip?.chunkBytes ?? sent.length;
  for (let start = 0; start < sent.length; start += chunkBytes) {
    if (start > 0) await waiting.wait(socket, drip?.everyMs ?? 0);
    // The client may have left, and nobody else is there to send the rest to.
    if (socket.destroyed) return;
    outgoing.write(sent.subarray(start, start + chunkBytes));
  }
  if (stall !== undefined) waiting.hold(socket);
  // Once all is with the operating system: destroying the socket at once would discard it.
  else if (reset !== undefined) socket.destroySoon();
  else outgoing.end();
}

function markAsSent(c: Context<EmulatorEnv>, status: number): void {
  c.set("sentStatus", status);
  replaceAnswer(c, RESPONSE_ALREADY_SENT);
}

/** Hono merges the headers of an answer that is replaced, so the former one is dropped first. */
function replaceAnswer(c: Context<EmulatorEnv>, answer: Response): void {
  c.res = undefined;
  c.res = answer;
}
