/** The request, and how answers are read: ids in paths, what a service may add or leave out. */
import { getMaxListeners } from "node:events";
import type { DomainMonitoringClient } from "../../src/client";
import { readChannel, readOneDomain } from "../../src/client/wire";
import { readDnsPage, readWhoisPage } from "../../src/client/wire-lists";
import { isolateTests } from "./support/cleanup";
import { CHANNEL, createChannel, failureOf, getDomain } from "./support/client";
import { OPERATIONS } from "./support/operations";
import { answer, pagesOf, startService } from "./support/service";
import { failureFrom, startClient } from "./support/start";
import * as wire from "./support/wire";

isolateTests();

/** Texts pass as they are. */
const GATES = { redact: (text: string) => text, quote: (text: string) => text };

test.each(Object.entries(OPERATIONS))("%s sends the request of its row", async (name, row) => {
  const { error, service } = await failureFrom([answer(404, {})], row.by);
  expect(error.operation).toBe(name);
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
    const steps = [answer(200, wire.domain({ id })), answer(404, {})];
    const { service, client } = await startClient(steps);
    const { domains, dnsChanges, notificationChannels: channels } = client;
    await domains.get(id);
    await failureOf(dnsChanges.list(id));
    await failureOf(channels.create(id, CHANNEL));

    expect(service.requests.map(({ path }) => path)).toEqual([
      `/api/domains/${segment}`,
      `/api/domains/${segment}/changes/dns`,
      `/api/domains/${segment}/notification-channels`,
    ]);
  });

  const invalid = /^(id|domainId) is not a valid id: /;

  test.each([
    ["", invalid],
    [".", invalid],
    ["..", invalid],
    ["\ud83d", invalid],
    ["example.com", /^(id|domainId) is a name \(example\.com\): use its id; /],
    [`${wire.DOMAIN_ID}\n`, /^(id|domainId) begins /],
  ])("%p is refused in every operation, with the fix", async (id, problem) => {
    const { service, client } = await startClient();
    const { domains, dnsChanges, notificationChannels: channels } = client;
    for (const call of [domains.get(id), dnsChanges.list(id), channels.create(id, CHANNEL)])
      expect(await failureOf(call)).toMatchObject({
        kind: "validation",
        message: expect.stringMatching(problem),
      });

    expect(service.requests).toHaveLength(0);
  });
});

describe("a response", () => {
  test("may contain unknown fields in every object, which are dropped", () => {
    const extended = (body: unknown) =>
      JSON.parse(JSON.stringify(body), (_name, value) => {
        const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
        return isObject ? { ...value, not_described: { nested: [null, 1] } } : value;
      });
    const domain = wire.domain();
    const whoisPage = wire.page([wire.whoisChange("a")]);
    const dnsPage = wire.page([wire.dnsChange("a")]);
    const channel = wire.channel();

    expect(readOneDomain(extended(domain))).toEqual(readOneDomain(domain));
    expect(readWhoisPage(extended(whoisPage), GATES)).toEqual(readWhoisPage(whoisPage, GATES));
    expect(readDnsPage(extended(dnsPage), GATES)).toEqual(readDnsPage(dnsPage, GATES));
    expect(readChannel(extended({ data: channel }))).toEqual(readChannel(channel));
  });

  test("about another domain is an error", async () => {
    const { error } = await failureFrom([answer(200, wire.domain({ id: "another" }))]);
    expect(error.kind).toBe("response");
    expect(error.message).toContain("id: expected the requested one");
  });

  test.each([
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
  ])("%s", (_what, body, read) => {
    expect(readOneDomain(body)).toMatchObject(read);
  });

  test.each([
    [1793404800, "2026-10-31T00:00:00.000Z"],
    [1793404800123, "2026-10-31T00:00:00.123Z"],
    ["2026-10-30T18:00:00+02:00", "2026-10-30T18:00:00+02:00"],
    [null, null],
  ])("may have %j as the end of a certificate", (given, expiresAt) => {
    const { ssl } = readOneDomain(wire.domainWith("ssl", { expires_at: given })).components;
    expect(ssl.expiresAt).toBe(expiresAt);
  });

  test.each<[unknown, string[]]>([
    [
      ["A", "MX"],
      ["A", "MX"],
    ],
    [{ 0: "A" }, ["A"]],
    [{ 0: "A", 2: "MX", 10: "TXT" }, ["A", "MX", "TXT"]],
    [{}, []],
    [null, []],
  ])("may have an array of PHP, with gaps or without: %j", (given, enabledRecords) => {
    const { dns } = readOneDomain(wire.domainWith("dns", { enabled_records: given })).components;
    expect(dns.enabledRecords).toEqual(enabledRecords);
  });

  test.each([{ A: "on" }, { 0: "A", 1: 5 }, "A,MX", undefined])(
    "may not have %j as texts",
    (given) => {
      const problem = "components.dns.enabled_records: expected an array of strings";
      const body = wire.domainWith("dns", { enabled_records: given });
      expect(() => readOneDomain(body)).toThrow(problem);
    },
  );

  test("may have 0 and 1 in place of false and true, for every flag of a channel and a domain", () => {
    const digits = (body: unknown) =>
      JSON.parse(JSON.stringify(body), (_name, value) =>
        typeof value === "boolean" ? Number(value) : value,
      );
    const domain = wire.domain();
    const channel = wire.channel({ is_protected: true });
    expect(readOneDomain(digits(domain))).toEqual(readOneDomain(domain));
    expect(readChannel(digits(channel))).toEqual(readChannel(channel));
    expect(JSON.stringify(digits([domain, channel]))).toMatch(/"is_enabled":1.*"is_protected":1/);
  });

  test.each([2, -1, "yes", "", null, undefined])("may not have %j for a flag", (given) => {
    const problem = "is_disabled: expected a boolean";
    expect(() => readChannel(wire.channel({ is_disabled: given }))).toThrow(problem);
  });

  test("may have counts as text, and no links", () => {
    const given = wire.page([wire.whoisChange("a")]) as { data: unknown; meta: object };
    const texts = Object.entries(given.meta).map(([name, count]) => [name, `${count}`]);
    const asText = { data: given.data, meta: Object.fromEntries(texts) };
    const usual = readWhoisPage(given, GATES);
    const meta = { currentPage: 1, from: 1, lastPage: 1, perPage: 15, to: 1, total: 1 };
    expect(readWhoisPage(asText, GATES)).toEqual(usual);
    expect(usual.meta).toEqual(meta);
  });

  test.each(["", "many", "1.5", "-1", 1.5, null])("may not have %j for a count", (given) => {
    const meta = { ...(wire.page([]) as { meta: object }).meta, total: given };
    const problem = "meta.total: expected a whole number";
    expect(() => readWhoisPage({ data: [], links: {}, meta }, GATES)).toThrow(problem);
  });

  test("may identify a change's domain by a number or a string, and may lack its values", () => {
    const changes = [
      wire.whoisChange("a", { domain_id: 7, old_value: null }),
      wire.whoisChange("b", { domain_id: "d", new_value: null, field_changed: "status" }),
      wire.whoisChange("c", { identifier: null }),
    ];

    expect(readWhoisPage(wire.page(changes), GATES).data).toMatchObject([
      { domainId: 7, oldValue: null },
      { domainId: "d", newValue: null, fieldChanged: "status" },
      { domainId: 7, identifier: null },
    ]);
  });

  test.each([200, 201, 202])("to a create may have status %i", async (status) => {
    const data = wire.channel({ type: "telegram" });
    const { service, client } = await startClient([answer(status, { data })]);
    const created = await createChannel(client);
    expect(created).toMatchObject({ type: "telegram", disabledReason: null });
    expect(service.created).toBe(1);
  });
});

describe("a create", () => {
  test("sends the given values and nothing else", async () => {
    const { service, client } = await startClient([answer(201, { data: wire.channel() })]);
    const webhook = { label: "𝒂𝒃𝒄", type: "webhook", value: null } as const;
    await client.notificationChannels.create("d", CHANNEL);
    await client.notificationChannels.create("d", {
      ...webhook,
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
      CHANNEL,
      { ...webhook, secondary_value: "PUT", ...flags },
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
    const records = ["c1", "c2", "c3"].map((id) => wire.dnsChange(id));
    const { service, client } = await startClient([pagesOf({ records, perPage: 1, links })]);
    const ids: string[] = [];
    for await (const { id } of client.dnsChanges.iterate("d")) ids.push(id);
    expect(ids).toEqual(["c1", "c2", "c3"]);
    expect(service.requests.map(({ path }) => path)).toEqual(
      [1, 2, 3].map((number) => `/api/domains/d/changes/dns?per_page=100&page=${number}`),
    );
    expect(elsewhere.connections).toHaveLength(0);
  });

  test("a list that the service sends without pages is one page, which may be empty", () => {
    const changes = [wire.whoisChange("a"), wire.whoisChange("b")];
    const links = { first: null, last: null, prev: null, next: null };

    expect(readWhoisPage({ data: changes }, GATES)).toMatchObject({
      data: [{ id: "a" }, { id: "b" }],
      links,
      meta: { currentPage: 1, from: 1, lastPage: 1, perPage: 2, to: 2, total: 2 },
    });

    const meta = { currentPage: 1, from: null, lastPage: 1, to: null, total: 0 };
    const empty = { data: [], unreadable: [], links, meta: { ...meta, perPage: 0 } };
    const emptyPage = { ...empty, meta: { ...meta, perPage: 15 } };
    expect(readWhoisPage({ data: [] }, GATES)).toEqual(empty);
    expect(readWhoisPage(wire.page([]), GATES)).toEqual(emptyPage);
  });

  test.each([
    [{ data: [], meta: {} }, "meta.current_page: expected a whole number"],
    [{ data: [], links: {} }, "meta: expected an object"],
    [{ data: {} }, "data: expected an array"],
  ])("a list that is neither in pages nor without them is an error: %j", (body, message) => {
    expect(() => readDnsPage(body, GATES)).toThrow(message);
  });
});

// The warning itself does not reach a test, which has another `process` than Node.
test("a signal may be used for any number of calls, of which Node would warn as a leak", async () => {
  const { client } = await startClient();
  const { signal } = new AbortController();
  await getDomain(client, { signal });
  expect(getMaxListeners(signal)).toBe(Number.POSITIVE_INFINITY);
});

test("calls of one client share its connections", async () => {
  const { service, client } = await startClient();
  for (let call = 0; call < 10; call++) await getDomain(client);
  expect(service.connections.length).toBeLessThan(4);
});
