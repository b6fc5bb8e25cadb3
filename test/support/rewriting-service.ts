/** A service in front of an emulator that rewrites the JSON of requests and responses. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface RewritingService extends AsyncDisposable {
  url: string;
  close(): Promise<void>;
}

/** The value to put in the place of a value with this name, at any depth. */
type Rewrite = (name: string, value: unknown) => unknown;

export async function startRewriting(
  emulator: string,
  { request: ofRequest = (_, value) => value, response: ofResponse }: RewriteBoth,
): Promise<RewritingService> {
  const server = createServer(async (request, response) => {
    const { status, body } = await forward(emulator, request, ofRequest);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(rewritten(body, ofResponse));
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };

  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

interface RewriteBoth {
  /** @default as it is */
  request?: Rewrite;
  response: Rewrite;
}

async function forward(emulator: string, request: IncomingMessage, rewrite: Rewrite) {
  const { method, url = "", headers } = request;
  const body = rewritten(await text(request), rewrite);
  const answer = await fetch(emulator + url, {
    method,
    headers: { Authorization: headers.authorization ?? "", "Content-Type": "application/json" },
    body: body === "" ? undefined : body,
  });

  return { status: answer.status, body: await answer.text() };
}

function rewritten(json: string, rewrite: Rewrite): string {
  return json === "" ? "" : JSON.stringify(JSON.parse(json, rewrite));
}
