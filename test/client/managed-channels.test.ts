import type { ClientEvent, DomainMonitoringClient, UpdateNotificationChannel } from "../../src/client";
import { startEmulator } from "../../src/testing/emulator";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, DESTINATION, failureOf, renderings, TOKEN } from "./support/client";
import { answer, fin, type Step, startService } from "./support/service";
import * as wire from "./support/wire";

isolateTests();

const { DOMAIN_ID } = wire;
const ID = "99999999-9999-4999-8999-999999999999";
const LIST = `/api/domains/${DOMAIN_ID}/notification-channels`;

async function emulatorOf() {
  const channels = [{ id: ID, label: "On call", type: "slack", value: DESTINATION }];
  const domains = [{ id: DOMAIN_ID, channels }];
  // A clock that stands still: relative texts are compared.
  const emulator = await startEmulator({
    lifecycle: "managed",
    domains,
    token: TOKEN,
    now: "2026-01-31",
  });
  closeLater(() => emulator.close());
  return emulator;
}

/** Every operation on one channel. */
const ON_ONE: Record<string, (client: DomainMonitoringClient, id: string) => Promise<unknown>> = {
  get: (client, id) => client.notificationChannels.get(DOMAIN_ID, id),
  update: (client, id) => client.notificationChannels.update(DOMAIN_ID, id, { label: "Renamed" }),
  delete: (client, id) => client.notificationChannels.delete(DOMAIN_ID, id),
};
const ALL: typeof ON_ONE = {
  ...ON_ONE,
  list: (client) => client.notificationChannels.list(DOMAIN_ID),
};
const calls = Object.entries(ALL);

describe("channels of a service that has these operations", () => {
  test("are listed, read, changed and deleted", async () => {
    const emulator = await emulatorOf();
    const { notificationChannels } = clientOf(emulator.url);

    const page = await notificationChannels.list(DOMAIN_ID, { page: 1 });
    const read = await notificationChannels.get(DOMAIN_ID, ID);
    const changed = await notificationChannels.update(DOMAIN_ID, ID, {
      label: "Renamed",
      sslNotificationsEnabled: false,
    });

    expect(page).toMatchObject({ data: [read], meta: { total: 1, lastPage: 1 } });
    expect(read).toMatchObject({ id: ID, label: "On call", type: "slack", isProtected: false });
    expect(changed).toEqual({ ...read, label: "Renamed", sslNotificationsEnabled: false });
    expect(emulator.channels()).toMatchObject([{ label: "Renamed", value: DESTINATION }]);
    expect(await notificationChannels.delete(DOMAIN_ID, ID)).toBeUndefined();
    expect(emulator.channels()).toEqual([]);
  });

  test("are read at the top level and in `data`", async () => {
    const channel = wire.channel({ id: ID });
    for (const body of [channel, { data: channel }]) {
      const { url } = await startService([answer(200, body), answer(200, body)]);
      const { notificationChannels } = clientOf(url);
      expect(await notificationChannels.get(DOMAIN_ID, ID)).toMatchObject({ id: ID });
      expect(await notificationChannels.update(DOMAIN_ID, ID, { label: "New" })).toMatchObject({ id: ID });
    }
  });
});

describe("what is sent", () => {
  test("is the method, the path and of an update the given fields, with null where it is given", async () => {
    const channel = wire.channel();
    const service = await startService([
      answer(200, channel),
      answer(200, { data: channel }),
      answer(200, channel),
      answer(200, ""),
    ]);
    const { notificationChannels } = clientOf(service.url);

    await notificationChannels.get(DOMAIN_ID, ID);
    await notificationChannels.update(DOMAIN_ID, ID, {
      value: DESTINATION,
      secondaryValue: null,
      label: undefined,
    });
    await notificationChannels.update(DOMAIN_ID, ID, {
      label: "abc",
      type: "webhook",
      value: null,
      secondaryValue: "PUT",
      whoisNotificationsEnabled: false,
      dnsNotificationsEnabled: true,
      sslNotificationsEnabled: false,
    });
    await notificationChannels.delete(DOMAIN_ID, ID.toUpperCase());

    expect(
      service.requests.map(({ method, path, body }) => [method, path, body && JSON.parse(body)]),
    ).toEqual([
      ["GET", `${LIST}/${ID}`, ""],
      ["PATCH", `${LIST}/${ID}`, { value: DESTINATION, secondary_value: null }],
      [
        "PATCH",
        `${LIST}/${ID}`,
        {
          label: "abc",
          type: "webhook",
          value: null,
          secondary_value: "PUT",
          whois_notifications_enabled: false,
          dns_notifications_enabled: true,
          ssl_notifications_enabled: false,
        },
      ],
      ["DELETE", `${LIST}/${ID.toUpperCase()}`, ""],
    ]);
    expect(service.requests[1]?.headers["content-type"]).toBe("application/json");
  });

  test.each(["history", "bulk", "", "..", "1", `${ID}/..`, `${ID}x`, ` ${ID}`, `${ID}\n`, "x".repeat(36)])(
    "is nothing where %j is given as a channel's id",
    async (id) => {
      const service = await startService();
      for (const call of Object.values(ON_ONE)) {
        expect(await failureOf(call(clientOf(service.url), id))).toMatchObject({
          kind: "validation",
          message: "id is not a valid channel id: use the channel's UUID",
        });
      }
      expect(service.requests).toEqual([]);
    },
  );

  test.each<[message: string, changes: Record<string, unknown>]>([
    ["it has no field: give at least one", {}],
    ["it has no field: give at least one", { label: undefined }],
    ["it has an unknown field: use label, type, value, secondaryValue, ", { secondary_value: "PUT" }],
    ["it has an unknown field: use label, type, value, secondaryValue, ", { lable: DESTINATION }],
    ["it has an unknown field: ", { isProtected: false }],
    ["it has an unknown field: ", JSON.parse('{"__proto__": 1}')],
    ["label has a length of 2: give it 3 to 100 characters", { label: "ab" }],
    ["type is not a valid channel type: use one of ", { type: "fax" }],
    ["value is not a string: ", { value: 5 }],
    [
      "secondaryValue is not a valid webhook method: use one of POST, PUT, PATCH",
      { type: "webhook", secondaryValue: "GET" },
    ],
    ["whoisNotificationsEnabled is null: ", { whoisNotificationsEnabled: null }],
    ["sslNotificationsEnabled is not a boolean: ", { value: DESTINATION, sslNotificationsEnabled: "yes" }],
  ])("is nothing where a change is refused: %s", async (message, changes) => {
    const service = await startService();

    const failure = await failureOf(
      clientOf(service.url).notificationChannels.update(DOMAIN_ID, ID, changes as UpdateNotificationChannel),
    );

    expect(failure.kind).toBe("validation");
    expect(failure.message).toContain(`the change was not sent: ${message}`);
    expect(renderings(failure)).not.toContain("s3cr3t");
    expect(service.requests).toEqual([]);
  });
});

describe("an answer that cannot be used", () => {
  test.each<[name: string, body: unknown]>([
    ["of another channel", wire.channel({ id: "88888888-8888-4888-8888-888888888888" })],
    ["of no channel", { data: null }],
    ["of a list", { data: [wire.channel()] }],
    ["without a flag", wire.channel({ is_disabled: undefined })],
  ])("is an error and is not asked for again: %s", async (_name, body) => {
    for (const [call, sent] of [
      [ON_ONE.get, "yes"],
      [ON_ONE.update, "maybe"],
    ] as const) {
      const service = await startService([answer(200, body)]);
      const failure = await failureOf(call?.(clientOf(service.url), ID) ?? Promise.resolve());
      expect(failure).toMatchObject({ kind: "response", sent, status: 200, attempts: 1 });
      expect(service.requests).toHaveLength(1);
    }
  });

  test("may hold more than is known, in any letter case of the id", async () => {
    const body = wire.channel({ id: ID.toUpperCase(), type: "carrier_pigeon", updated_at: "now" });
    const service = await startService([answer(200, body)]);

    const channel = await clientOf(service.url).notificationChannels.get(DOMAIN_ID, ID);

    expect(channel).toMatchObject({ type: "carrier_pigeon" });
    expect(channel).not.toHaveProperty("updated_at");
  });

  test.each<[string, Step | "reset" | "garbage"]>([
    ["is broken", "reset"],
    ["is no text", "garbage"],
    ["is too large", answer(200, "x".repeat(5000))],
    ["is a page of somebody else", answer(202, "<html>")],
  ])("does not matter to a delete, whose status is enough, where the body %s", async (_name, step) => {
    const emulator = await emulatorOf();
    if (step === "reset") emulator.fault({ status: 200, reset: "body" });
    if (step === "garbage") emulator.fault({ status: 200, garbage: true });
    const { url } = typeof step === "string" ? emulator : await startService([step]);
    const events: ClientEvent[] = [];
    const client = clientOf(url, { maxResponseBytes: 1024, onEvent: (event) => events.push(event) });

    await client.notificationChannels.delete(DOMAIN_ID, ID);

    expect(events.filter(({ type }) => type === "request")).toHaveLength(1);
  });
});

describe("repeating", () => {
  test.each(calls)("%s is done as for a read, after a status and after a lost answer", async (name, call) => {
    for (const fault of [{ status: 503 }, { status: 408 }, { status: 429 }, { reset: "before" }] as const) {
      const emulator = await emulatorOf();
      emulator.fault({ ...fault, times: 2 });
      await call(clientOf(emulator.url), ID);
      expect(emulator.requests).toHaveLength(3);
      if (name === "delete") expect(emulator.channels()).toEqual([]);
      if (name === "update") expect(emulator.channels()).toMatchObject([{ label: "Renamed" }]);
    }
  });

  test.each(["get", "update", "list"])(
    "%s is done also where the work was done before the answer was lost",
    async (name) => {
      for (const reset of ["after", "headers", "body"] as const) {
        const emulator = await emulatorOf();
        emulator.fault({ reset });
        await ALL[name]?.(clientOf(emulator.url), ID);
        expect(emulator.requests).toHaveLength(2);
      }
    },
  );

  test("delete finds a channel gone that an earlier request has deleted, and says that it may have", async () => {
    const emulator = await emulatorOf();
    emulator.fault({ reset: "after" });

    const failure = await failureOf(clientOf(emulator.url).notificationChannels.delete(DOMAIN_ID, ID));

    expect(failure).toMatchObject({ kind: "http", status: 404, sent: "maybe", attempts: 2 });
    expect(failure.message).toContain(`The channel ${ID} may have been deleted anyway`);
  });

  test.each(calls)("%s is not done after a refusal", async (_name, call) => {
    for (const status of [400, 402, 403, 404, 405, 409, 422, 501]) {
      const service = await startService([answer(status, { message: "No." })]);
      const failure = await failureOf(call(clientOf(service.url), ID));
      expect(failure).toMatchObject({ kind: "http", status, sent: "yes", attempts: 1 });
      expect(service.requests).toHaveLength(1);
    }
  });
});

describe("whether a change or a removal was carried out", () => {
  type Case = [sent: "no" | "maybe" | "yes", statuses: (number | "lost")[]];
  const cases: Case[] = [
    ["yes", [422]],
    ["yes", [429, 422]],
    ["yes", [429, 429, 429]],
    ["maybe", [303]],
    ["maybe", [503, 503, 503]],
    ["maybe", [503, 422]],
    ["maybe", ["lost", 422]],
    ["maybe", ["lost", 404]],
    ["maybe", [408, 403]],
    ["maybe", ["lost", 429, 429]],
    ["maybe", ["lost", "lost", "lost"]],
  ];

  test.each(cases)("is %s after %j", async (sent, statuses) => {
    for (const [name, call] of Object.entries(ON_ONE)) {
      const steps = statuses.map((status) => (status === "lost" ? fin : answer(status, { message: "No." })));
      const service = await startService(steps);
      const failure = await failureOf(call(clientOf(service.url), ID));
      expect(service.requests).toHaveLength(statuses.length);
      if (name === "get") continue;
      expect({ name, sent: failure.sent }).toEqual({ name, sent });
      expect(failure.message.includes("anyway")).toBe(sent === "maybe");
      expect(failure.message.split("anyway")).toHaveLength(sent === "maybe" ? 2 : 1);
    }
  });

  test("is no where nothing was sent, and stays maybe where only the last request was not", async () => {
    const emulator = await emulatorOf();
    emulator.fault({ reset: "after" });
    const client = clientOf(emulator.url, {
      onEvent: ({ type }) => {
        if (type === "retry") closing = emulator.refuseConnections();
      },
    });
    let closing: Promise<void> | undefined;

    const unclear = await failureOf(client.notificationChannels.update(DOMAIN_ID, ID, { label: "Renamed" }));
    await closing;
    const unsent = await failureOf(client.notificationChannels.update(DOMAIN_ID, ID, { label: "Again" }));

    expect(unclear).toMatchObject({ kind: "transport", sent: "maybe" });
    expect(unsent).toMatchObject({ kind: "transport", sent: "no" });
    expect(emulator.channels()).toMatchObject([{ label: "Renamed" }]);
  });
});

describe("a refusal", () => {
  test.each([
    [
      403,
      "the API token lacks a permission, or the channel is protected: use a token with the required scope",
    ],
    [
      404,
      "not found: check the ids of domain and channel and the base address. A service without this undocumented operation",
    ],
    [405, "the service does not have this undocumented operation: use the service's own"],
  ])("with %d says what it means for these operations", async (status, text) => {
    for (const call of Object.values(ALL)) {
      const service = await startService([answer(status, {})]);
      const { message } = await failureOf(call(clientOf(service.url), ID));
      expect(message).toContain(`answered ${status}, ${text}`);
    }
  });

  test("with 405 or 404 is what a service answers that only has the interface", async () => {
    const emulator = await startEmulator({ domains: [{ id: DOMAIN_ID }], token: TOKEN });
    closeLater(() => emulator.close());
    const statuses: Record<string, unknown> = {};
    for (const [name, call] of calls)
      statuses[name] = (await failureOf(call(clientOf(emulator.url), ID))).status;

    expect(statuses).toEqual({ list: 405, get: 404, update: 404, delete: 404 });
  });

  test("that repeats the destination shows it nowhere, and a webhook's method stays", async () => {
    const body = {
      message: `PUT ${DESTINATION}`,
      errors: { value: [`no PUT to ${DESTINATION}`], [DESTINATION]: ["x"] },
    };
    const echoing: Step[] = [
      answer(422, body, { "X-Request-Id": DESTINATION }),
      answer(200, { data: wire.channel({ id: DESTINATION, label: 1 }) }),
      answer(503, body),
    ];
    for (const step of echoing) {
      const service = await startService([step]);
      const events: ClientEvent[] = [];
      const client = clientOf(service.url, { maxRetries: 0, onEvent: (event) => events.push(event) });
      const changes = { value: DESTINATION, type: "webhook", secondaryValue: "PUT" } as const;

      const failure = await failureOf(client.notificationChannels.update(DOMAIN_ID, ID, changes));

      expect(renderings(failure) + JSON.stringify(events)).not.toContain("s3cr3t");
      if (failure.status === 422) expect(failure.message).toContain("no PUT to [redacted]");
    }
  });
});
