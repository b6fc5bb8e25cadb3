/** A service for each way to fail, on loopback, as a process of its own; it tells their addresses and the emulator's token. */
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import testing from "../../dist/testing/index.js";

process.on("disconnect", () => process.exit());

const emulator = await testing.startEmulator();
const foreign = JSON.stringify({ status: "ok" });
const page = "<!doctype html><title>Welcome</title>";

process.send({
  token: emulator.token,
  success: emulator.url,
  "nothing listens": `http://127.0.0.1:${await closedPort()}`,
  "TLS fails": (await answering(200, {}, "")).replace("http:", "https:"),
  "200 of another shape": await answering(200, { "content-type": "application/json" }, foreign),
  "200 with HTML": await answering(200, { "content-type": "text/html" }, page),
  "no answer": await listening(createSocketServer(() => {})),
  "401, token refused": await answering(401, {}, ""),
  "429 beyond the deadline": await answering(429, { "retry-after": "3600" }, ""),
});

async function answering(status, headers, body) {
  return await listening(createServer((_request, response) => response.writeHead(status, headers).end(body)));
}

async function listening(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

async function closedPort() {
  const server = createSocketServer();
  await listening(server);
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
