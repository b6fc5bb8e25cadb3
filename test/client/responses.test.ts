/** The request, and how answers are read: ids in paths, what a service may add or leave out. */
import { getMaxListeners } from "node:events";
import type { DomainMonitoringClient } from "../../src/client";
import { isolateTests } from "./support/cleanup";
import {
  CHANNEL,
  clientFor,
  clientOf,
  createChannel,
  DESTINATION,
  failureFrom,
  failureOf,
  getDomain,
} from "./support/client";
import { OPERATIONS } from "./support/operations";
import { answer, type Step, startService } from "./support/service";
import * as wire from "./support/wire";

isolateTests();

/** A page of a list that has as many, with the record that `recordOf` makes of its number. */
function served(lastPage: number, recordOf: (number: number) => unknown, links = {}): Step {
  return {
    run({ seen, answer }) {
      const page = Number(new URL(seen.path, "http://x").searchParams.get("page"));
      answer(200, wire.page([recordOf(page)], { page, lastPage, total: lastPage }, links));
    },
  };
}

test.each(Object.entries(OPERATIONS))("%s sends the request of its row", async (_name, row) => {
  const { service } = await failureFrom([answer(404, {})], row.by);
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([row.sends]);
});

describe("an id", () => {
  test.each([
    ["a/../b", "a%2F..%2Fb"],
    ["a b", "a%20b"],
    ["ü/€", "%C3%BC%2F%E2%82%AC"],
    ["a?b#c%d", "a%3Fb%23c%25d"],
    ["...", "..."],
    ["a\r\nx: y", "a%0D%0Ax%3A%20y"],
  ])("%p is one segment of the path", async (id, segment) => {
    const service = await startService([
      answer(200, wire.domain({ id })),
      answer(200, wire.page([])),
      answer(200, wire.page([])),
      answer(201, { data: wire.channel() }),
    ]);
    const client = clientOf(service.url);
    await client.domains.get(id);
    await client.whoisChanges.list(id, { page: 2, perPage: 100 });
    await client.dnsChanges.list(id);
    await client.notificationChannels.create(id, { label: "abc", type: "email", value: null });

    expect(service.requests.map(({ path }) => path)).toEqual([
      `/api/domains/${segment}`,
      `/api/domains/${segment}/changes/whois?per_page=100&page=2`,
      `/api/domains/${segment}/changes/dns`,
      `/api/domains/${segment}/notification-channels`,
    ]);
  });

  test.each(["", ".", "..", "\ud83d"])("%p is rejected before anything is sent", async (id) => {
    const service = await startService();
    const client = clientOf(service.url);
    for (const call of [client.domains.get(id), client.whoisChanges.list(id)]) {
      expect(await failureOf(call)).toMatchObject({ kind: "validation" });
    }

    expect(service.requests).toHaveLength(0);
  });

  test.each([
    ["example.com", /^(id|domainId) is a name \(example\.com\): use its id; /],
    [`${wire.DOMAIN_ID}\n`, /^(id|domainId) begins /],
  ])("%p is refused in every operation, with the fix", async (id, problem) => {
    const service = await startService();
    const { domains, dnsChanges, notificationChannels: channels } = clientOf(service.url);
    for (const call of [domains.get(id), dnsChanges.list(id), channels.create(id, CHANNEL)])
      expect(await failureOf(call)).toMatchObject({
        kind: "validation",
        message: expect.stringMatching(problem),
      });

    expect(service.requests).toHaveLength(0);
  });
});

describe("a response", () => {
  test("may contain unknown fields in every object, which are dropped", async () => {
    const extra = { not_described: { nested: [null, 1] } };
    const extended = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(extended);
      if (typeof value !== "object" || value === null) return value;
      const fields = Object.entries(value).map(([name, field]) => [name, extended(field)]);
      return { ...Object.fromEntries(fields), ...extra };
    };
    const bodies = [
      wire.domain(),
      wire.page([wire.whoisChange("a")]),
      wire.page([wire.dnsChange("a")]),
      { data: wire.channel() },
    ];
    const client = await clientFor(bodies.map((body) => answer(200, extended(body))));
    const results = [
      await client.domains.get(wire.DOMAIN_ID),
      await client.whoisChanges.list(wire.DOMAIN_ID),
      await client.dnsChanges.list(wire.DOMAIN_ID),
      await createChannel(client),
    ];

    expect(JSON.stringify(bodies.map(extended)).match(/not_described/g)).toHaveLength(15);
    expect(JSON.stringify(results)).not.toMatch(/not.?described/i);
  });

  test("about another domain is an error", async () => {
    const { error } = await failureFrom([answer(200, wire.domain({ id: "another" }))]);
    expect(error.kind).toBe("response");
    expect(error.message).toContain("id: expected the requested one");
  });

  test.each<readonly [what: string, body: unknown, read: object]>([
    [
      "may contain unknown enum values, which are kept",
      wire.domainWith("whois", { check_status: "PENDING", check_interval: "hourly" }),
      { components: { whois: { checkStatus: "PENDING", checkInterval: "hourly" } } },
    ],
    [
      "may lack what is unknown before the first check",
      wire.domainWith("whois", { latest_check_details: null, last_checked_at: undefined }),
      { components: { whois: { latestCheckDetails: null, lastCheckedAt: null } } },
    ],
    ["may lack the registrar", wire.domain({ provider: undefined }), { provider: null }],
    [
      "may have null for status, interval and flags before the first check",
      wire.domainWith("whois", { check_status: null, check_interval: null, is_enabled: null }),
      { components: { whois: { checkStatus: null, checkInterval: null, isEnabled: false } } },
    ],
    [
      "keeps every date as the string that the service sent",
      wire.domain({ expires_at: "someday", updated_at: "0" }),
      { expiresAt: "someday", updatedAt: "0" },
    ],
    ...[
      [1793404800, "2026-10-31T00:00:00.000Z"],
      [1793404800123, "2026-10-31T00:00:00.123Z"],
      ["2026-10-30T18:00:00+02:00", "2026-10-30T18:00:00+02:00"],
      [null, null],
    ].map(
      ([given, expiresAt]) =>
        [
          `may have ${given} as the end of a certificate`,
          wire.domainWith("ssl", { expires_at: given }),
          { components: { ssl: { expiresAt } } },
        ] as const,
    ),
    ...[
      { given: ["A", "MX"], enabledRecords: ["A", "MX"] },
      { given: { 0: "A" }, enabledRecords: ["A"] },
      { given: { 0: "A", 2: "MX", 10: "TXT" }, enabledRecords: ["A", "MX", "TXT"] },
      { given: {}, enabledRecords: [] },
      { given: null, enabledRecords: [] },
    ].map(
      ({ given, enabledRecords }) =>
        [
          `may have an array of PHP, with gaps or without: ${JSON.stringify(given)}`,
          wire.domainWith("dns", { enabled_records: given }),
          { components: { dns: { enabledRecords } } },
        ] as const,
    ),
  ])("%s", async (_what, body, read) => {
    expect(await getDomain(await clientFor([answer(200, body)]))).toMatchObject(read);
  });

  test.each([{ A: "on" }, { 0: "A", 1: 5 }, "A,MX", undefined])(
    "may not have %j as texts",
    async (given) => {
      const body = wire.domainWith("dns", { enabled_records: given });
      const { error } = await failureFrom([answer(200, body)]);
      expect(error.message).toContain("(components.dns.enabled_records: expected an array of str");
    },
  );

  test("may have 0 and 1 in place of false and true, for every flag of a channel and a domain", async () => {
    const digits = (value: unknown): unknown => {
      if (typeof value === "boolean") return Number(value);
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;

      return Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, digits(field)]),
      );
    };
    const bodies = [wire.domain(), { data: wire.channel({ is_protected: true }) }];
    const steps = [...bodies, ...bodies.map(digits)].map((body) => answer(200, body));
    const client = await clientFor(steps);
    const domain = await getDomain(client);
    const created = await createChannel(client);

    expect(await getDomain(client)).toEqual(domain);
    expect(await createChannel(client)).toEqual(created);
    expect(JSON.stringify(bodies.map(digits))).toMatch(/"is_enabled":1.*"is_protected":1/);
  });

  const listChanges = ({ whoisChanges }: DomainMonitoringClient) => whoisChanges.list("d");

  test.each([2, -1, "yes", "", null, undefined])("may not have %j for a flag", async (given) => {
    const step = answer(201, { data: wire.channel({ is_disabled: given }) });
    const { error } = await failureFrom([step], createChannel);
    expect(error).toMatchObject({ kind: "response", channelId: wire.channel().id });
    expect(error.message).toContain("is_disabled: expected a boolean");
  });

  test("may have counts as text, and no links", async () => {
    const given = wire.page([wire.whoisChange("a")]) as { data: unknown; meta: object };
    const texts = Object.entries(given.meta).map(([name, count]) => [name, `${count}`]);
    const other = { data: given.data, meta: Object.fromEntries(texts) };
    const client = await clientFor([answer(200, given), answer(200, other)]);
    const usual = await listChanges(client);
    const meta = { currentPage: 1, from: 1, lastPage: 1, perPage: 15, to: 1, total: 1 };

    expect(await listChanges(client)).toEqual(usual);
    expect(usual.meta).toEqual(meta);
  });

  test.each(["", "many", "1.5", "-1", 1.5, null])("may not have %j for a count", async (given) => {
    const meta = { ...(wire.page([]) as { meta: object }).meta, total: given };
    const step = answer(200, { data: [], links: {}, meta });
    const { error } = await failureFrom([step], listChanges);
    expect(error.message).toContain("(meta.total: expected a whole number)");
  });

  test("may identify a change's domain by a number or a string, and may lack its values", async () => {
    const changes = [
      wire.whoisChange("a", { domain_id: 7, old_value: null }),
      wire.whoisChange("b", {
        domain_id: wire.DOMAIN_ID,
        new_value: null,
        field_changed: "status",
      }),
      wire.whoisChange("c", { identifier: null }),
    ];
    const client = await clientFor([answer(200, wire.page(changes))]);
    const page = await client.whoisChanges.list(wire.DOMAIN_ID);
    expect(page.data.map(({ domainId }) => domainId)).toEqual([7, wire.DOMAIN_ID, 7]);
    expect(page.data).toMatchObject([
      { oldValue: null },
      { newValue: null, fieldChanged: "status" },
      { identifier: null },
    ]);
  });

  test.each([200, 201, 202])("to a create may have status %i", async (status) => {
    const data = wire.channel({ type: "telegram" });
    const service = await startService([answer(status, { data })]);
    const created = await createChannel(clientOf(service.url));

    expect(created).toMatchObject({ type: "telegram", disabledReason: null });
    expect(service.created).toBe(1);
  });
});

describe("a create", () => {
  test("sends the given values and nothing else", async () => {
    const service = await startService([answer(201, { data: wire.channel() })]);
    const { notificationChannels } = clientOf(service.url);
    await notificationChannels.create("d", { label: "abc", type: "webhook", value: DESTINATION });
    const label = "𝒂𝒃𝒄";
    await notificationChannels.create("d", {
      label,
      type: "webhook",
      value: null,
      secondaryValue: "PUT",
      whoisNotificationsEnabled: false,
      dnsNotificationsEnabled: null,
      sslNotificationsEnabled: true,
    });
    const flags = {
      whois_notifications_enabled: false,
      dns_notifications_enabled: null,
      ssl_notifications_enabled: true,
    };

    expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { label: "abc", type: "webhook", value: DESTINATION },
      { label, type: "webhook", value: null, secondary_value: "PUT", ...flags },
    ]);
  });

  // Every rule: test/provider/inputs.test.ts.
  test("that breaks a rule is not sent", async () => {
    const { error, service } = await failureFrom([], ({ notificationChannels }) =>
      notificationChannels.create("d", { ...CHANNEL, label: "𝒂𝒃", secondaryValue: "GET" }),
    );

    expect(error.kind).toBe("validation");
    expect(error.message).toBe(
      "the channel was not sent: label has a length of 2: give it 3 to 100 characters; " +
        "secondaryValue is not a valid webhook method: use one of POST, PUT, PATCH",
    );
    expect(service.requests).toHaveLength(0);
  });
});

describe("a list", () => {
  test.each([{ page: 0 }, { page: 1.5 }, { perPage: 0 }, { perPage: 101 }, { page: Number.NaN }])(
    "is not asked: %p",
    async (request) => {
      const call = ({ whoisChanges }: DomainMonitoringClient) => whoisChanges.list("d", request);
      const { error, service } = await failureFrom([], call);
      expect(error.kind).toBe("validation");
      expect(service.requests).toHaveLength(0);
    },
  );

  test("is read by page number, never by its links", async () => {
    const elsewhere = await startService();
    const links = { next: `${elsewhere.url}/api/steal`, last: `${elsewhere.url}/api/steal` };
    const service = await startService([served(3, (page) => wire.dnsChange(`c${page}`), links)]);
    const ids: string[] = [];
    for await (const { id } of clientOf(service.url).dnsChanges.iterate("d")) ids.push(id);

    expect(ids).toEqual(["c1", "c2", "c3"]);
    expect(service.requests.map(({ path }) => path)).toEqual(
      [1, 2, 3].map((number) => `/api/domains/d/changes/dns?per_page=100&page=${number}`),
    );
    expect(elsewhere.connections).toHaveLength(0);
  });

  test("a list that the service sends without pages is one page, which may be empty", async () => {
    const changes = [wire.whoisChange("a"), wire.whoisChange("b")];
    const bodies = [{ data: changes }, { data: [] }, wire.page([])];
    const { whoisChanges } = await clientFor(bodies.map((body) => answer(200, body)));
    const none = { first: null, last: null, prev: null, next: null };

    expect(await whoisChanges.list("d")).toMatchObject({
      data: [{ id: "a" }, { id: "b" }],
      links: none,
      meta: { currentPage: 1, from: 1, lastPage: 1, perPage: 2, to: 2, total: 2 },
    });

    for (const perPage of [0, 15]) {
      const meta = { currentPage: 1, from: null, lastPage: 1, perPage, to: null, total: 0 };
      expect(await whoisChanges.list("d")).toEqual({ data: [], unreadable: [], links: none, meta });
    }
  });

  test.each([
    [{ data: [], meta: {} }, "meta.current_page: expected a whole number"],
    [{ data: [], links: {} }, "meta: expected an object"],
    [{ data: {} }, "data: expected an array"],
  ])("a list that is neither in pages nor without them is an error: %j", async (body, message) => {
    for (const name of ["whoisChanges", "dnsChanges"] as const) {
      const { error } = await failureFrom([answer(200, body)], (client) => client[name].list("d"));
      expect(error).toMatchObject({ kind: "response", operation: `${name}.list` });
      expect(error.message).toContain(message);
    }
  });
});

// The warning itself does not reach a test, which has another `process` than Node.
test("a signal may be used for any number of calls, of which Node would warn as a leak", async () => {
  const service = await startService();
  const { signal } = new AbortController();
  await getDomain(clientOf(service.url), { signal });
  expect(getMaxListeners(signal)).toBe(Number.POSITIVE_INFINITY);
});

test("calls of one client share its connections", async () => {
  const service = await startService();
  const client = clientOf(service.url);
  for (let call = 0; call < 10; call++) await getDomain(client);
  expect(service.connections.length).toBeLessThan(4);
});
