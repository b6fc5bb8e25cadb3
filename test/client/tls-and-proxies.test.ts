/** What stands between client and service: certificates and proxies. Nothing of a request passes a refusal of theirs. */
import { connect as connectTcp } from "node:net";
import { Agent } from "undici";
import { TEST_CERTIFICATE } from "./support/certificate";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, TOKEN } from "./support/client";
import { useProxy } from "./support/proxy";
import { startService } from "./support/service";
import { CLOSED_PORT, startSocketServer } from "./support/sockets";

/** A host that no resolver knows (RFC 2606): only a proxy could reach it. */
const BEHIND_PROXY = "https://monitoring.invalid";

isolateTests();

/** A transport that trusts the test certificate; the caller's own, so the client leaves it open. */
function trusting(): Agent {
  const dispatcher = new Agent({ allowH2: false, connect: { ca: TEST_CERTIFICATE } });
  closeLater(() => dispatcher.destroy());
  return dispatcher;
}

describe("a certificate", () => {
  test("that is trusted lets the call succeed", async () => {
    const service = await startService(undefined, { tls: true });
    const client = clientOf(service.url, { dispatcher: trusting() });
    await expect(createChannel(client)).resolves.toMatchObject({ label: "On call" });
    expect(service.created).toBe(1);
  });

  test("that is not trusted fails the call at once, as a retry would not help", async () => {
    const service = await startService(undefined, { tls: true });
    const client = clientOf(service.url);
    for (const call of [getDomain, createChannel]) {
      const error = await failureOf(call(client));
      expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
      expect(error.message).toMatch(
        /could not reach the service \(DEPTH_ZERO_SELF_SIGNED_CERT\): its TLS certificate was not accepted/,
      );
    }
    expect(service.requests).toHaveLength(0);
    expect(service.connections).toHaveLength(2);
  });

  test("for another name fails the call at once", async () => {
    const service = await startService(undefined, { tls: true });
    // The certificate is good for 127.0.0.1 alone.
    const dispatcher = new Agent({ connect: { ca: TEST_CERTIFICATE, servername: "monitoring.invalid" } });
    closeLater(() => dispatcher.destroy());
    const client = clientOf(service.url, { dispatcher });
    // Of the caller's dispatcher it is not known when it writes.
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
});

describe("a proxy", () => {
  test("that refuses the tunnel sees neither token nor request, and a create is retried safely", async () => {
    const heard: string[] = [];
    const proxy = await startSocketServer((socket) => {
      socket.on("data", (chunk: Buffer) => {
        heard.push(chunk.toString());
        socket.write("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
      });
    });
    useProxy(`http://127.0.0.1:${proxy.port}`);
    const error = await failureOf(createChannel(clientOf(BEHIND_PROXY)));
    expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 3 });
    expect(error.message).toMatch(
      /could not reach the service .* the proxy could not connect to it: check HTTPS_PROXY/,
    );
    expect(String(error.cause)).toContain("403");
    expect(heard).toHaveLength(3);
    for (const text of heard) {
      expect(text).toMatch(/^CONNECT monitoring\.invalid:443 /);
      expect(text).not.toContain(TOKEN);
    }
  });

  test("on whose port nothing listens leaves the request unsent", async () => {
    useProxy(`http://127.0.0.1:${CLOSED_PORT}`);
    const client = clientOf(BEHIND_PROXY);
    for (const call of [getDomain, createChannel]) {
      const error = await failureOf(call(client));
      expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 3 });
      expect(error.message).toContain("(ECONNREFUSED): the proxy could not connect to it: check HTTPS_PROXY");
    }
  });

  test.each([
    ["hangs up", "fin", "ERR_PROXY_CLOSED"],
    ["resets", "reset", "ECONNRESET"],
  ])(
    "that %s instead of responding gets one request per attempt, not endlessly many",
    async (_name, how, code) => {
      const proxy = await startSocketServer((socket) => {
        socket.once("data", () => (how === "fin" ? socket.end() : socket.resetAndDestroy()));
      });
      useProxy(`http://127.0.0.1:${proxy.port}`);
      const error = await failureOf(createChannel(clientOf(BEHIND_PROXY)));
      expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 3 });
      expect(error.message).toContain(`(${code})`);
      expect(proxy.sockets).toHaveLength(3);
    },
  );

  test("that does not speak HTTP leaves a create unsent", async () => {
    const proxy = await startSocketServer((socket) =>
      socket.once("data", () => socket.write("SSH-2.0\r\n\r\n")),
    );
    useProxy(`http://127.0.0.1:${proxy.port}`);
    const error = await failureOf(createChannel(clientOf(BEHIND_PROXY)));
    expect(error).toMatchObject({ kind: "transport", sent: "no" });
    expect(error.message).not.toContain("may have been created");
  });

  test("that never responds times out with the attempt, and a create stays unsent", async () => {
    const proxy = await startSocketServer(() => undefined);
    useProxy(`http://127.0.0.1:${proxy.port}`);
    const error = await failureOf(createChannel(clientOf(BEHIND_PROXY, { timeoutMs: 80 })));
    expect(error).toMatchObject({ kind: "timeout", sent: "no" });
  });

  test("whose address is invalid fails the call with kind transport and without the address", async () => {
    for (const address of ["user:s3cr3t@proxy:1", "http://user:s3cr3t@:0:0"]) {
      useProxy(address);
      const error = await failureOf(createChannel(clientOf(BEHIND_PROXY)));
      expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
      expect(`${error.stack} ${String(error.cause)}`).not.toContain("s3cr3t");
    }
  });

  test("tunnels a call that trusts the service behind it", async () => {
    // The proxy passes bytes on to the TLS service, so the client meets the service's own certificate.
    const service = await startService(undefined, { tls: true });
    const proxy = await startSocketServer((socket) => {
      socket.once("data", () => {
        const onward = connectTcp(service.port, "127.0.0.1");
        onward.on("error", () => socket.destroy());
        closeLater(() => onward.destroy());
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
    });
    useProxy(`http://127.0.0.1:${proxy.port}`);
    const error = await failureOf(getDomain(clientOf(BEHIND_PROXY)));
    expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
    expect(error.message).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT)");
    expect(service.requests).toHaveLength(0);
  });

  test("is not used for a service on this machine", async () => {
    const service = await startService();
    const proxy = await startSocketServer((socket) => socket.destroy());
    useProxy(`http://127.0.0.1:${proxy.port}`);
    process.env.http_proxy = process.env.HTTPS_PROXY;
    await getDomain(clientOf(service.url));
    await getDomain(clientOf(`http://localhost:${service.port}`));
    expect(proxy.sockets).toHaveLength(0);
  });

  test("is not used for a host in NO_PROXY", async () => {
    const proxy = await startSocketServer((socket) => socket.destroy());
    useProxy(`http://127.0.0.1:${proxy.port}`, "monitoring.invalid");
    const error = await failureOf(getDomain(clientOf(BEHIND_PROXY, { maxRetries: 0 })));
    expect(error).toMatchObject({ kind: "transport", sent: "no" });
    expect(error.message).toContain("its host name was not resolved: check the base address");
    expect(proxy.sockets).toHaveLength(0);
  });
});
