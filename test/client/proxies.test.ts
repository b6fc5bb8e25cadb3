/**
 * The proxy that the environment names: by which variable, in which form, and with whose password.
 */
import { isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, renderings, TOKEN } from "./support/client";
import { BEHIND_PROXY, PROXY_VARIABLES, useProxies } from "./support/proxy";
import { type Service, startService } from "./support/service";
import { passOn, startSocketServer } from "./support/sockets";

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

const UNAUTHENTICATED =
  "HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n";

isolateTests();

let service: Service;

beforeEach(async () => {
  service = await startService(undefined, { tls: true });
});

/** A proxy for clients that send this, and what each connection to it began with. */
async function startProxy(required = ""): Promise<{ address: string; heads: string[] }> {
  const heads: string[] = [];
  const { port } = await startSocketServer((socket) =>
    socket.once("data", (chunk: Buffer) => {
      const head = chunk.toString("latin1");
      heads.push(head);
      socket.write(head.includes(required) ? ESTABLISHED : UNAUTHENTICATED);
      if (head.includes(required)) passOn(socket, service.port);
    }),
  );

  return { address: `127.0.0.1:${port}`, heads };
}

/** A call that reaches the service by a proxy meets its certificate, which is good for no name. */
async function expectReached(): Promise<void> {
  const error = await failureOf(getDomain(clientOf(BEHIND_PROXY)));
  expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
  expect(error.message).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT)");
  expect(service.connections).toHaveLength(1);
  expect(service.requests).toEqual([]);
}

test.each(PROXY_VARIABLES)("a proxy is named by %s, even without http://", async (variable) => {
  const { address, heads } = await startProxy();
  for (const scheme of ["", "http://"]) {
    useProxies({ [variable]: scheme + address });
    await expectReached();
    expect(heads).toEqual([
      expect.stringMatching(/^CONNECT monitoring\.invalid:443 HTTP\/1\.1\r\n/),
    ]);
    heads.splice(0);
    service.connections.splice(0);
  }
});

test("a proxy is named by the first variable that is not empty", async () => {
  const { address, heads } = await startProxy();
  const nobody = "127.0.0.1:1";
  useProxies({ HTTPS_PROXY: address, HTTP_PROXY: nobody, ALL_PROXY: nobody });
  await expectReached();
  service.connections.splice(0);
  useProxies({ https_proxy: "", HTTP_PROXY: address, ALL_PROXY: nobody });
  await expectReached();
  expect(heads).toHaveLength(2);
});

test("is not used for a host in NO_PROXY, whichever variable names it", async () => {
  const { address, heads } = await startProxy();
  for (const scheme of ["", "socks5h://"]) {
    useProxies({ ALL_PROXY: scheme + address });
    process.env.NO_PROXY = ".invalid";
    const error = await failureOf(getDomain(clientOf(BEHIND_PROXY, { maxRetries: 0 })));
    expect(error.message).toContain("its host name was not resolved");
  }

  expect(heads).toEqual([]);
});

test("a proxy that asks for authentication is named with where to give it, and asked once", async () => {
  const { address, heads } = await startProxy(
    "\r\nproxy-authorization: Basic b3BzOnMzY3IzdCE=\r\n",
  );
  for (const user of ["", "ops:wr0ng-s3cr3t@"]) {
    useProxies({ HTTPS_PROXY: user + address });
    for (const call of [getDomain, createChannel]) {
      const error = await failureOf(call(clientOf(BEHIND_PROXY)));
      expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
      expect(error.message).toContain(
        "the proxy asks for authentication (407), so give user name and password in its address: http://USER:PASSWORD@HOST:PORT",
      );
      expect(renderings(error)).not.toContain("s3cr3t");
    }
  }

  expect(heads).toHaveLength(4);
  expect(heads.join()).not.toContain(TOKEN);

  // With the password, in which a character is encoded.
  useProxies({ HTTPS_PROXY: `http://ops:s3cr3t%21@${address}` });
  await expectReached();
});

test.each(["socks5://", "socks5h://"])("may be one of SOCKS5 that resolves: %s", async (scheme) => {
  const requestedHosts: string[] = [];
  const { port } = await startSocketServer((socket) => {
    socket.once("data", () => {
      socket.write(Buffer.from([5, 0]));
      socket.once("data", (request: Buffer) => {
        requestedHosts.push(request.toString("latin1", 5, 5 + (request[4] ?? 0)));
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        passOn(socket, service.port);
      });
    });
  });

  const emitWarning = jest.spyOn(process, "emitWarning").mockReturnValue(undefined);
  useProxies({ ALL_PROXY: `${scheme}127.0.0.1:${port}` });
  await expectReached();
  expect(requestedHosts).toEqual(["monitoring.invalid"]);
  // By undici, once in a process.
  for (const [text] of emitWarning.mock.calls)
    expect(text).toContain("SOCKS5 proxy support is experimental");
});

test.each([
  ["http://u:s3cr3t@:0:0", "(ERR_INVALID_URL): the address of the proxy is not valid: correct"],
  ["socks4://u:s3cr3t@127.0.0.1:1", "undici 7 or newer (`npm ls undici`), and a proxy with http"],
])("a proxy that cannot be used is named, and its password is not: %s", async (address, says) => {
  useProxies({ ALL_PROXY: address });
  const error = await failureOf(createChannel(clientOf(BEHIND_PROXY)));
  expect(error).toMatchObject({ kind: "transport", sent: "no", attempts: 1 });
  expect(error.message).toContain(says);
  expect(renderings(error)).not.toContain("s3cr3t");
});
