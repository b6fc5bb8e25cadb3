/**
 * A service in front of an emulator that tidies what it is given, as Laravel's middleware and
 * mutators do: it trims texts, keeps an empty one as null, and has colours, intervals and types of
 * records in lower case.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface TidyingService {
  url: string;
  close(): Promise<void>;
}

const IN_LOWER_CASE = ["colour", "whois_check_interval", "dns_check_interval"];

export async function startTidyingService(emulator: string): Promise<TidyingService> {
  const server = createServer(async (request, response) => {
    const { status, body } = await forward(emulator, request);
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function forward(emulator: string, request: IncomingMessage) {
  const { method, url = "", headers } = request;
  const given = await text(request);
  const answer = await fetch(emulator + url, {
    method,
    headers: { Authorization: headers.authorization ?? "", "Content-Type": "application/json" },
    body: given === "" ? undefined : rewritten(given, tidied),
  });

  const body = await answer.text();

  return { status: answer.status, body: body === "" ? "" : rewritten(body, inLowerCase) };
}

function rewritten(json: string, rewrite: (name: string, value: unknown) => unknown): string {
  return JSON.stringify(JSON.parse(json, rewrite));
}

function tidied(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;

  const trimmed = value.trim();
  if (trimmed === "") return null;

  return IN_LOWER_CASE.includes(name) ? trimmed.toLowerCase() : trimmed;
}

/** In answers only, as the emulator takes types of records in upper case. */
function inLowerCase(name: string, value: unknown): unknown {
  return name === "enabled_records" ? String(value).toLowerCase().split(",") : value;
}
