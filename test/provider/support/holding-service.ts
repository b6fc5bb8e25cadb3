/** A service that holds its answers back until it is told to give them, and counts the requests that it holds. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HoldingService {
  url: string;
  /** The most requests that were in flight at one time. */
  readonly mostInFlight: number;
  readonly inFlight: number;
  /** Resolves once so many requests are held. */
  holds(count: number): Promise<void>;
  /** Answers what is held, and everything that comes from now on. */
  release(): void;
  close(): Promise<void>;
}

export async function startHoldingService(): Promise<HoldingService> {
  const held: ServerResponse[] = [];
  const awaited: { count: number; resolve: () => void }[] = [];
  let created = 0;
  let inFlight = 0;
  let mostInFlight = 0;
  let released = false;

  const server = createServer((request, answer) => {
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    request.resume().on("end", () => {
      if (released) return give(answer);
      held.push(answer);
      for (const { count, resolve } of awaited) if (held.length >= count) resolve();
    });
  });

  function give(answer: ServerResponse): void {
    created += 1;
    inFlight -= 1;
    const data = {
      id: `channel-${created}`,
      label: "Ops on-call",
      type: "slack",
      type_human: "Slack",
      whois_notifications_enabled: true,
      dns_notifications_enabled: true,
      ssl_notifications_enabled: true,
      is_protected: false,
      is_disabled: false,
      disabled_reason: null,
      last_notification_sent_at: null,
      last_notification_sent_at_human: null,
      created_at: "2026-01-31 08:30:00",
      created_at_human: "now",
    };
    answer.writeHead(201, { "Content-Type": "application/json" }).end(JSON.stringify({ data }));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get mostInFlight() {
      return mostInFlight;
    },
    get inFlight() {
      return inFlight;
    },
    holds: (count) =>
      new Promise((resolve) => {
        if (held.length >= count) resolve();
        else awaited.push({ count, resolve });
      }),
    release() {
      released = true;
      for (const answer of held.splice(0)) give(answer);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
