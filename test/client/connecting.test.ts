/**
 * Ports, handshakes, certificates and proxies between client and service. Nothing of a request
 * passes them.
 */
import dns, { type LookupAddress } from "node:dns";
import type { Socket } from "node:net";
import { type Agent, errors } from "undici";
import type { DomainMonitoringClient } from "../../src/client";
import { CONNECT_TIMEOUT_MS } from "../../src/client/internal/transport";
import { resolveCallOptions, resolveOptions } from "../../src/client/options";
import { TEST_CERTIFICATE } from "./support/certificate";
import { isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, TOKEN } from "./support/client";
import { BEHIND_PROXY, useProxies } from "./support/proxy";
import { startService } from "./support/service";
import { CLOSED_PORT, startSlowListener, startSocketServer } from "./support/sockets";
import { startAgent } from "./support/start";

isolateTests();

type Found = (error: null, addresses: LookupAddress[]) => void;

const nothing = () => undefined;
const hangUp = (socket: Socket) => socket.once("data", () => socket.end());
const reset = (socket: Socket) => socket.once("data", () => socket.resetAndDestroy());
const reply = (text: string) => (socket: Socket) => socket.on("data", () => socket.write(text));

/** A client that connects to this port of 127.0.0.1, as the service's or a proxy's. */
type Reach = (port: number) => DomainMonitoringClient;

const directly: Reach = (port) => clientOf(`https://127.0.0.1:${port}`);

const throughProxy: Reach = (port) => {
  useProxies({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
  return clientOf(BEHIND_PROXY);
};

/** Expects that a read and a create fail unsent. */
async function expectUnsent(
  client: DomainMonitoringClient,
  attempts: number,
  says: string,
  cause = "",
) {
  for (const call of [getDomain, createChannel]) {
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ kind: "transport", sent: "no", attempts });
    expect(error.message).toContain("could not reach the service");
    expect(error.message).toContain(says);
    expect(error.message).not.toContain("may have been created");
    expect(String(error.cause)).toContain(cause);
  }
}

const refusal = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n";
const endlessHeader = `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`;
const byProxy = "the proxy could not connect to it: check HTTPS_PROXY";

test.each<[string, Reach, says: string, (socket: Socket) => unknown, cause?: string]>([
  [
    "a port that does not speak TLS",
    directly,
    "the TLS handshake failed",
    reply("HTTP/1.1 400\r\n\r\n"),
  ],
  ["a TLS handshake that is reset", directly, "(ECONNRESET): the connection was closed", reset],
  ["a proxy that refuses the tunnel", throughProxy, byProxy, reply(refusal), "403"],
  ["a proxy that hangs up", throughProxy, `(ERR_PROXY_CLOSED): ${byProxy}`, hangUp],
  ["a proxy that resets the connection", throughProxy, `(ECONNRESET): ${byProxy}`, reset],
  ["a proxy that does not speak HTTP", throughProxy, byProxy, reply("SSH-2.0\r\n\r\n")],
  ["a proxy with a header beyond every bound", throughProxy, byProxy, reply(endlessHeader)],
])(
  "%s leaves a call unsent, after retries",
  async (_name, reach, says, onConnection, cause = "") => {
    const received: string[] = [];
    const { port, sockets } = await startSocketServer((socket) => {
      socket.on("data", (chunk: Buffer) => received.push(chunk.toString("latin1")));
      onConnection(socket);
    });

    await expectUnsent(reach(port), 3, says, cause);
    expect(sockets).toHaveLength(6);
    expect(received.join()).not.toContain(TOKEN);
    expect(received.join()).not.toMatch(/(GET|POST) \//);
  },
);

test.each<[name: string, reach: Reach, says: string]>([
  ["a closed port", directly, "(ECONNREFUSED): nothing listens there: check the host"],
  ["a proxy on whose port nothing listens", throughProxy, `(ECONNREFUSED): ${byProxy}`],
])("%s leaves a call unsent, after retries", async (_name, reach, says) => {
  await expectUnsent(reach(CLOSED_PORT), 3, says);
});

test("an untrusted certificate leaves a call unsent, which is not repeated", async () => {
  const service = await startService(undefined, { tls: true });
  const says = "(DEPTH_ZERO_SELF_SIGNED_CERT): its TLS certificate";
  await expectUnsent(clientOf(service.url), 1, says);
  expect(service.connections).toHaveLength(2);
  expect(service.requests).toHaveLength(0);
});

describe("a dispatcher of the caller's", () => {
  test("that meets a certificate for another name fails the call at once", async () => {
    const service = await startService(undefined, { tls: true });
    // The certificate is good for 127.0.0.1 alone.
    const connect = { ca: TEST_CERTIFICATE, servername: "monitoring.invalid" };
    const dispatcher = startAgent({ allowH2: false, connect });
    const client = clientOf(service.url, { dispatcher });
    // It is not known when it writes.
    for (const [call, sent] of [
      [getDomain, "no"],
      [createChannel, "maybe"],
    ] as const) {
      const error = await failureOf(call(client));
      expect(error).toMatchObject({ kind: "transport", sent, attempts: 1 });
      expect(error.message).toContain("(ERR_TLS_CERT_ALTNAME_INVALID)");
      expect(error.cause).not.toHaveProperty("cert");
    }

    expect(service.requests).toHaveLength(0);
  });

  test("whose handshake stalls is reported as a failed connection", async () => {
    const { port } = await startSocketServer(nothing);
    const dispatcher = startAgent({ allowH2: false, connect: { timeout: 50 } });
    const client = clientOf(`https://127.0.0.1:${port}`, { dispatcher, maxRetries: 0 });
    const error = await failureOf(getDomain(client));
    expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
    expect(error.message).toContain("(UND_ERR_CONNECT_TIMEOUT): no TCP or TLS connection in time");
  });

  test.each<[string, Agent["dispatch"]]>([
    [
      "refuses the client's methods",
      () => {
        throw new errors.InvalidArgumentError("invalid onError method");
      },
    ],
    [
      "calls methods that the client does not have, as the MockAgent of undici 6 does",
      (_options, handler) => {
        handler.onConnect?.(nothing);
        handler.onHeaders?.(200, [], nothing, "OK");
        handler.onComplete?.([]);
        return true;
      },
    ],
  ])("of an older undici is named in an immediate error: %s", async (_how, dispatch) => {
    const dispatcher = startAgent();
    jest.spyOn(dispatcher, "dispatch").mockImplementation(dispatch);
    for (const call of [getDomain, createChannel]) {
      const client = clientOf("http://127.0.0.1:9", { dispatcher, timeoutMs: 500 });
      const error = await failureOf(call(client));
      expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
      expect(error.message).toContain("(UND_ERR_INVALID_ARG): undici does not accept the request:");
    }
  });
});

test("connecting times out before the attempt that waits for it", () => {
  const settings = resolveOptions({ baseUrl: "https://monitoring.invalid", apiToken: "t" });
  const { attemptTimeoutMs } = resolveCallOptions({ timeoutMs: 1 }, settings);
  expect(CONNECT_TIMEOUT_MS).toBeLessThan(attemptTimeoutMs);
});

/** Only here is it known how many connections a listener takes that nobody accepts. */
const onLinux = process.platform === "linux" ? test : test.skip;

onLinux(
  "a host whose first address answers after a second is reached, although its second one does not answer",
  async () => {
    const slow = await startSlowListener();
    const lookup = (_host: string, _options: object, found: Found) => {
      const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
      found(null, addresses);
      // After the first packet of the handshake, which is lost.
      setImmediate(slow.accept);
    };

    jest.spyOn(dns, "lookup").mockImplementation(lookup as typeof dns.lookup);
    const client = clientOf(`http://localhost:${slow.port}`, { maxRetries: 0 });
    const error = await failureOf(createChannel(client));
    expect(error).toMatchObject({ kind: "http", status: 401 });
  },
);

describe("a proxy", () => {
  test("that never responds times out with the call, and a create stays unsent", async () => {
    const { port } = await startSocketServer(nothing);
    const error = await failureOf(createChannel(throughProxy(port), { timeoutMs: 80 }));
    expect(error).toMatchObject({ kind: "timeout", sent: "no" });
  });

  test("is not used for a service on this machine", async () => {
    const service = await startService();
    const { port, sockets } = await startSocketServer((socket) => socket.destroy());
    const proxy = `http://127.0.0.1:${port}`;
    useProxies({ HTTPS_PROXY: proxy, http_proxy: proxy });
    await getDomain(clientOf(service.url));
    await getDomain(clientOf(`http://localhost:${service.port}`));
    expect(sockets).toHaveLength(0);
  });
});
