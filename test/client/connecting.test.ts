/**
 * Ports, handshakes, certificates and proxies between client and service. Nothing of a request
 * passes them.
 */
import dns, { type LookupAddress } from "node:dns";
import type { Socket } from "node:net";
import { Agent, errors } from "undici";
import type { DomainMonitoringClient } from "../../src/client";
import { CONNECT_TIMEOUT_MS } from "../../src/client/internal/transport";
import { resolveCallOptions, resolveOptions } from "../../src/client/options";
import { TEST_CERTIFICATE } from "./support/certificate";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, TOKEN } from "./support/client";
import { useProxy } from "./support/proxy";
import { startService } from "./support/service";
import { CLOSED_PORT, startSlowListener, startSocketServer } from "./support/sockets";

/** A host that no resolver knows (RFC 2606): only a proxy could reach it. */
const BEHIND_PROXY = "https://monitoring.invalid";

isolateTests();

/** An obstacle that a call meets instead of the service. */
interface Meeting {
  client: DomainMonitoringClient;
  connections?: readonly unknown[];

  /** Bytes that arrived at these listeners. */
  received?: readonly string[];
  requests?: readonly unknown[];
}

type Found = (error: null, addresses: LookupAddress[]) => void;

const nothing = () => undefined;
const hangUp = (socket: Socket) => socket.once("data", () => socket.end());
const reset = (socket: Socket) => socket.once("data", () => socket.resetAndDestroy());
const reply = (text: string) => (socket: Socket) => socket.on("data", () => socket.write(text));

async function listener(onConnection: (socket: Socket) => void) {
  const received: string[] = [];
  const server = await startSocketServer((socket) => {
    socket.on("data", (chunk: Buffer) => received.push(chunk.toString("latin1")));
    onConnection(socket);
  });

  return { ...server, received };
}

function tlsPort(onConnection: (socket: Socket) => void) {
  return async (): Promise<Meeting> => {
    const { port, sockets: connections, received } = await listener(onConnection);
    return { client: clientOf(`https://127.0.0.1:${port}`), connections, received };
  };
}

function proxyThat(onConnection: (socket: Socket) => void, options = {}) {
  return async (): Promise<Meeting> => {
    const { port, sockets: connections, received } = await listener(onConnection);
    useProxy(`http://127.0.0.1:${port}`);
    return { client: clientOf(BEHIND_PROXY, options), connections, received };
  };
}

function proxyAt(address: string) {
  return async (): Promise<Meeting> => {
    useProxy(address);
    return { client: clientOf(BEHIND_PROXY) };
  };
}

const once = { maxRetries: 0 };
const refusal = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n";
const endlessHeader = `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`;
const nobody = `http://127.0.0.1:${CLOSED_PORT}`;
const byProxy = "the proxy could not connect to it: check HTTPS_PROXY";

async function untrusted(): Promise<Meeting> {
  const { url, connections, requests } = await startService(undefined, { tls: true });
  return { client: clientOf(url), connections, requests };
}

type Obstacle = [
  name: string,
  meet: () => Promise<Meeting>,
  attempts: number,
  says: string,
  cause?: string,
];

const nothingListens = async () => ({ client: clientOf(nobody) });
const noTls = tlsPort(reply("HTTP/1.1 400\r\n\r\n"));

const obstacles: Obstacle[] = [
  ["a closed port", nothingListens, 3, "(ECONNREFUSED): nothing listens there: check the host"],
  ["a port that does not speak TLS", noTls, 3, "the TLS handshake failed"],
  ["a TLS handshake that is reset", tlsPort(reset), 3, "(ECONNRESET): the connection was closed"],
  ["an untrusted certificate", untrusted, 1, "(DEPTH_ZERO_SELF_SIGNED_CERT): its TLS certificate"],
  ["a proxy that refuses the tunnel", proxyThat(reply(refusal)), 3, byProxy, "403"],
  ["a proxy on whose port nothing listens", proxyAt(nobody), 3, `(ECONNREFUSED): ${byProxy}`],
  ["a proxy that hangs up", proxyThat(hangUp), 3, `(ERR_PROXY_CLOSED): ${byProxy}`],
  ["a proxy that resets the connection", proxyThat(reset), 3, `(ECONNRESET): ${byProxy}`],
  ["a proxy that does not speak HTTP", proxyThat(reply("SSH-2.0\r\n\r\n"), once), 1, byProxy],
  ["a proxy with a header beyond every bound", proxyThat(reply(endlessHeader), once), 1, byProxy],
];

test.each(obstacles)("%s leaves a call unsent", async (_name, meet, attempts, says, cause = "") => {
  const { client, connections, received = [], requests = [] } = await meet();
  for (const call of [getDomain, createChannel]) {
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ kind: "transport", sent: "no", attempts });
    expect(error.message).toContain("could not reach the service");
    expect(error.message).toContain(says);
    expect(error.message).not.toContain("may have been created");
    expect(String(error.cause)).toContain(cause);
  }

  if (connections) expect(connections).toHaveLength(2 * attempts);
  expect(received.join()).not.toContain(TOKEN);
  expect(received.join()).not.toMatch(/(GET|POST) \//);
  expect(requests).toHaveLength(0);
});

describe("a dispatcher of the caller's", () => {
  /** The client leaves it open. */
  function dispatcherWith(connect: Agent.Options["connect"]): Agent {
    const dispatcher = new Agent({ allowH2: false, connect });
    closeLater(() => dispatcher.destroy());
    return dispatcher;
  }

  test("that trusts the service's certificate lets the call succeed", async () => {
    const service = await startService(undefined, { tls: true });
    const client = clientOf(service.url, { dispatcher: dispatcherWith({ ca: TEST_CERTIFICATE }) });
    await expect(createChannel(client)).resolves.toMatchObject({ label: "On call" });
    expect(service.created).toBe(1);
  });

  test("that meets a certificate for another name fails the call at once", async () => {
    const service = await startService(undefined, { tls: true });
    // The certificate is good for 127.0.0.1 alone.
    const dispatcher = dispatcherWith({ ca: TEST_CERTIFICATE, servername: "monitoring.invalid" });
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
    const dispatcher = dispatcherWith({ timeout: 50 });
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
    const dispatcher = dispatcherWith({});
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
      found(
        null,
        ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 })),
      );
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
  test("a proxy that never responds times out with the attempt, and a create stays unsent", async () => {
    const { client } = await proxyThat(nothing, { timeoutMs: 80 })();
    expect(await failureOf(createChannel(client))).toMatchObject({ kind: "timeout", sent: "no" });
  });

  test("is not used for a service on this machine", async () => {
    const service = await startService();
    const { connections } = await proxyThat((socket) => socket.destroy())();
    process.env.http_proxy = process.env.HTTPS_PROXY;
    await getDomain(clientOf(service.url));
    await getDomain(clientOf(`http://localhost:${service.port}`));

    expect(connections).toHaveLength(0);
  });
});
