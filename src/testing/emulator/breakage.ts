/** What a fault does to a request that it hits. */
import { STATUS_CODES } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Next } from "hono";
import type { EmulatorEnv } from "./env";
import type { FaultRule } from "./types";

const STATUSES_WITHOUT_BODY = [204, 205, 304];

/** Runs one request under a fault. A status takes the place of the work; a reset breaks whatever answer there is. */
export async function applyFault(fault: FaultRule, c: Context<EmulatorEnv>, next: Next): Promise<void> {
  if (fault.reset === "before") return hangUp(c);
  if (fault.status === undefined) await next();
  else c.res = faultAnswer(fault, fault.status);
  if (fault.reset === "after") return hangUp(c);
  if (fault.reset === "body") return breakOff(c);
}

function faultAnswer({ body, headers }: FaultRule, status: number): Response {
  if (STATUSES_WITHOUT_BODY.includes(status)) return new Response(null, { status, headers });
  const isText = typeof body === "string";
  const content = body === undefined ? { message: STATUS_CODES[status] ?? "Fault" } : body;
  const answer = new Response(isText ? body : JSON.stringify(content), { status });
  answer.headers.set("Content-Type", isText ? "text/html; charset=UTF-8" : "application/json");
  for (const [name, value] of Object.entries(headers ?? {})) answer.headers.set(name, value);
  return answer;
}

/** Ends the connection without an answer. */
function hangUp(c: Context<EmulatorEnv>): void {
  markAsSent(c, 0);
  c.env.incoming.socket.destroy();
}

/** Promises the whole answer, sends half of its body and ends the connection. */
async function breakOff(c: Context<EmulatorEnv>): Promise<void> {
  const { status, headers } = c.res;
  const body = Buffer.from(await c.res.arrayBuffer());
  const { incoming, outgoing } = c.env;
  markAsSent(c, status);
  outgoing.writeHead(status, { ...Object.fromEntries(headers), "Content-Length": body.length });
  // Once the half is with the operating system: destroying the socket earlier would discard it.
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => incoming.socket.destroy());
}

function markAsSent(c: Context<EmulatorEnv>, status: number): void {
  c.set("sentStatus", status);
  // Hono merges the headers of an answer that is replaced, so the former one is dropped first.
  c.res = undefined;
  c.res = RESPONSE_ALREADY_SENT;
}
