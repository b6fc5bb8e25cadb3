/**
 * The service for all clients. It runs in a separate process, so that it does not share a thread
 * with the client.
 *
 * It writes prepared bytes to a plain socket, so that the client is the slower side and determines
 * the result. It parses only as much HTTP as requests without a body need:
 * - `/api/domains/ID`: one domain
 * - `/api/domains/N/changes/whois`: one page of a list with N records
 * - `/slow/…`: the same, 20 ms later
 */
import { createServer } from "node:net";
import { startEmulator } from "domain-monitoring-emulator";

const LATENCY_MS = 20;

/** Answers by path. */
const kept = new Map();

const [domain, changes] = await samples("11111111-1111-4111-8111-111111111111");

/** A domain and its WHOIS changes as the emulator answers them. */
async function samples(id) {
  const emulator = await startEmulator();
  try {
    const get = async (path) => {
      const headers = { authorization: `Bearer ${emulator.token}` };
      return (await fetch(`${emulator.url}/api/domains/${id}${path}`, { headers })).json();
    };
    return [await get(""), (await get("/changes/whois")).data];
  } finally {
    await emulator.close();
  }
}

function answer(path) {
  const url = new URL(path, "http://service");
  const [, , id, , list] = url.pathname.slice(1).split("/");
  const parameter = (name, fallback) => Number(url.searchParams.get(name) ?? fallback);
  const body =
    list === undefined ? domain : page(Number(id), parameter("page", 1), parameter("per_page", 15));
  const json = JSON.stringify(body);
  return Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n` +
      `X-Request-Id: 6b7b8b5e-0000-4000-8000-000000000000\r\nConnection: keep-alive\r\n\r\n${json}`,
  );
}

function prepared(path) {
  if (!kept.has(path)) kept.set(path, answer(path));
  return kept.get(path);
}

/**
 * A record of a list: one of the emulator's with an id of its own, because the client tells records
 * apart by their ids.
 */
function change(number) {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return { ...changes[number % changes.length], id };
}

/** interface.md, section 2.5. */
function page(total, number, perPage) {
  const from = (number - 1) * perPage;
  const to = Math.min(total, from + perPage);
  const last = Math.ceil(total / perPage);
  const link = (to) =>
    to < 1 || to > last ? null : `http://service/api/domains/${total}/changes/whois?page=${to}`;
  return {
    data: Array.from({ length: to - from }, (_, index) => change(from + index)),
    links: { first: link(1), last: link(last), prev: link(number - 1), next: link(number + 1) },
    meta: { current_page: number, from: from + 1, last_page: last, per_page: perPage, to, total },
  };
}

function respond(socket, path) {
  if (!path.startsWith("/slow/")) return socket.write(prepared(path));
  setTimeout(
    () => socket.writable && socket.write(prepared(path.slice("/slow".length))),
    LATENCY_MS,
  );
}

const server = createServer({ noDelay: true }, (socket) => {
  let unread = "";
  socket.on("data", (bytes) => {
    unread += bytes.toString("latin1");
    for (let end = unread.indexOf("\r\n\r\n"); end >= 0; end = unread.indexOf("\r\n\r\n")) {
      respond(socket, unread.slice(unread.indexOf(" ") + 1, unread.indexOf(" HTTP/1.1")));
      unread = unread.slice(end + 4);
    }
  });
  socket.on("error", () => socket.destroy());
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () =>
  process.send({ url: `http://127.0.0.1:${server.address().port}` }),
);
