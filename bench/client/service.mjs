/**
 * The service for all clients. It runs in a separate process, so that it does not share a thread with the client.
 *
 * It writes prepared bytes to a plain socket, so that the client is the slower side and determines the result. It parses only
 * as much HTTP as requests without a body need:
 *   /api/domains/ID                  one domain
 *   /api/domains/N/changes/whois     one page of a list with N records
 *   /slow/…                          the same, 20 ms later
 */
import { createServer } from "node:net";

const LATENCY_MS = 20;

/** Caches only pages of the short list; those of the long one would need too much memory. */
const KEPT_PAGES = 200;
const kept = new Map();

function answer(path) {
  const url = new URL(path, "http://service");
  const [, , id, , list] = url.pathname.slice(1).split("/");
  const body =
    list === undefined
      ? domain(id)
      : page(Number(id), Number(url.searchParams.get("page") ?? 1), perPageOf(url));
  const json = JSON.stringify(body);
  return Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n` +
      `X-Request-Id: 6b7b8b5e-0000-4000-8000-000000000000\r\nConnection: keep-alive\r\n\r\n${json}`,
  );
}

function perPageOf(url) {
  return Number(url.searchParams.get("per_page") ?? 15);
}

function prepared(path) {
  const found = kept.get(path);
  if (found) return found;
  const bytes = answer(path);
  if (kept.size < KEPT_PAGES) kept.set(path, bytes);
  return bytes;
}

/** interface.md, section 2.1. */
function domain(id) {
  const component = {
    is_enabled: true,
    check_interval: "weekly",
    check_status: "HEALTHY",
    latest_check_details: "The latest check found no problems.",
    last_checked_at: "2026-01-31T08:30:00.000000Z",
    next_check_at: "2026-02-07T08:30:00.000000Z",
    last_manual_check_at: null,
    changes_detected_at: null,
    has_changed_recently: false,
    was_manually_checked_recently: false,
  };
  return {
    id,
    label: "Example",
    domain: "example.com",
    description: null,
    colour: "#3366ff",
    provider: "Example Registrar",
    expires_at: "2027-01-31",
    components: {
      whois: component,
      dns: { ...component, enabled_records: ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA"] },
      ssl: {
        is_enabled: true,
        issuer: "Example CA",
        organization: "Example",
        expires_at: "2026-04-01 00:00:00",
        last_checked_at: "2026-01-31 08:30:00",
        last_found_invalid_at: null,
        last_considered_valid_at: "2026-01-31 08:30:00",
        has_changed_recently: false,
      },
    },
    created_at: "2025-01-31 08:30:00",
    updated_at: "2026-01-31 08:30:00",
  };
}

/** interface.md, section 2.2. */
function change(number) {
  const moved = number % 2 === 0;
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    domain_id: 4711,
    field_changed: moved ? "registrar" : "nameservers",
    old_value: moved ? "Example Registrar" : '["ns1.example.net","ns2.example.net"]',
    new_value: moved ? "Another Registrar" : '["ns1.example.org","ns2.example.org"]',
    identifier: "k3b9x2",
    created_at: "2026-01-31 08:30:00",
    created_at_human: "2 weeks ago",
  };
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
  setTimeout(() => socket.writable && socket.write(prepared(path.slice("/slow".length))), LATENCY_MS);
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
server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
