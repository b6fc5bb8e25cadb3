/** The experimental operations: what is sent, which answers are accepted, and what an error says. */
import type {
  ClientEvent,
  DomainMonitoringClient,
  UpdateNotificationChannel,
} from "../../src/client";
import type { CreateDomain, UpdateDomain } from "../../src/client/fields";
import { closeAll, isolateTests } from "./support/cleanup";
import { clientOf, DESTINATION, failureOf, renderings } from "./support/client";
import { answer, fin, pagesOf, raw, reset, type Step, startService } from "./support/service";
import { CLOSED_PORT } from "./support/sockets";
import { failureFrom, startClient } from "./support/start";
import * as wire from "./support/wire";

isolateTests();

const { DOMAIN_ID } = wire;
const ID = "99999999-9999-4999-8999-999999999999";
const CHANNEL = `/api/domains/${DOMAIN_ID}/notification-channels/${ID}`;
const DOMAIN = `/api/domains/${DOMAIN_ID}`;
const shop = { domain: "shop.example", label: "Shop" };

type Call = (client: DomainMonitoringClient) => Promise<unknown>;

const listChannels: Call = ({ notificationChannels: channels }) => channels.list(DOMAIN_ID);
const getChannel: Call = ({ notificationChannels: channels }) => channels.get(DOMAIN_ID, ID);
const deleteChannel: Call = ({ notificationChannels: channels }) => channels.delete(DOMAIN_ID, ID);

function updateChannel(changes: UpdateNotificationChannel = { label: "Renamed" }): Call {
  return ({ notificationChannels: channels }) => channels.update(DOMAIN_ID, ID, changes);
}

const listDomains: Call = ({ domains }) => domains.list();

function createDomain(domain: CreateDomain = shop): Call {
  return ({ domains }) => domains.create(domain);
}

function updateDomain(changes: UpdateDomain = { label: "Renamed" }): Call {
  return ({ domains }) => domains.update(DOMAIN_ID, changes);
}

// Every field of a channel: test/client/responses.test.ts.
const look = { description: null, colour: "#fff" };
const intervals = { whoisCheckInterval: "a", dnsCheckInterval: "b" };
const intervalsOnWire = { whois_check_interval: "a", dns_check_interval: "b" };
const records = ["A", "MX"];

test.each<[request: string, call: Call, body: unknown]>([
  [
    `PATCH ${CHANNEL}`,
    updateChannel({ value: DESTINATION, secondaryValue: null, label: undefined }),
    { value: DESTINATION, secondary_value: null },
  ],
  [`DELETE ${CHANNEL}`, deleteChannel, undefined],
  [
    "POST /api/domains",
    createDomain({ ...shop, ...look, ...intervals, enabledDnsRecords: records }),
    { ...shop, ...look, ...intervalsOnWire, enabled_dns_records: records },
  ],
  [`PATCH ${DOMAIN}`, updateDomain({ description: null }), { description: null }],
])("sends %s with the given fields, by their names on the wire", async (request, call, body) => {
  const object = request.includes(ID) ? wire.channel() : wire.domain();
  const service = await startService([answer(200, object)]);
  await call(clientOf(service.url));
  const [sent] = service.requests;

  expect(`${sent?.method} ${sent?.path}`).toBe(request);
  expect(sent?.body).toBe(body === undefined ? "" : JSON.stringify(body));
  expect(sent?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
});

const notIds = ["history", "bulk", "", "..", "1", `${ID}/..`, `${ID}x`, ` ${ID}`, `${ID}\n`];

test.each([...notIds, "x".repeat(36)])("sends nothing to a channel with the id %j", async (id) => {
  const service = await startService();
  const { notificationChannels: channels } = clientOf(service.url);
  const update = channels.update(DOMAIN_ID, id, { label: "Renamed" });
  const message = "id is not a valid channel id: use the channel's UUID";
  for (const call of [channels.get(DOMAIN_ID, id), update, channels.delete(DOMAIN_ID, id)])
    expect(await failureOf(call)).toMatchObject({ kind: "validation", message });

  expect(service.requests).toEqual([]);
});

const ofChannel = (changes: unknown) => updateChannel(changes as UpdateNotificationChannel);
const ofDomain = (fields: unknown) => createDomain(fields as typeof shop);

test.each<[problem: string, call: Call]>([
  ["the change was not sent: it has no field: give at least one", ofChannel({})],
  ["it has no field: ", ofChannel({ label: undefined })],
  ["it has an unknown field: use label, type, value, ", ofChannel({ lable: DESTINATION })],
  ["it has an unknown field: ", ofChannel({ isProtected: false })],
  ["it has an unknown field: ", ofChannel(JSON.parse('{"__proto__": 1}'))],
  ["the change was not sent: label ", ofChannel({ label: "ab" })],
  ["value is not a string: ", ofChannel({ value: 5 })],
  ["secondaryValue is not a valid ", ofChannel({ type: "webhook", secondaryValue: "GET" })],
  ["whoisNotificationsEnabled is null: ", ofChannel({ whoisNotificationsEnabled: null })],
  ["not sent: domain is not a string: give one; label is not a string: ", ofDomain({})],
  ["it has an unknown field: use domain, label, ", ofDomain({ ...shop, name: "x" })],
  ["enabledDnsRecords is not a list of strings", ofDomain({ ...shop, enabledDnsRecords: "A" })],
  ["the change was not sent: it has an unknown field: use label, ", updateDomain(shop)],
  ["it has no field: give at least one", updateDomain({ label: undefined })],
])("sends nothing where the fields are not right: %s", async (problem, call) => {
  const { error, service } = await failureFrom([], call);
  expect(error).toMatchObject({ kind: "validation", message: expect.stringContaining(problem) });
  expect(renderings(error)).not.toContain("s3cr3t");
  expect(service.requests).toEqual([]);
});

const channel = wire.channel({ id: ID.toUpperCase(), type: "carrier_pigeon", updated_at: "now" });
const domain = wire.domain();

test.each<[form: string, call: Call, body: unknown, id: string]>([
  ["a channel at the top level, with more than is known", getChannel, channel, ID],
  ["a channel in `data`, its id in one spelling", updateChannel(), { data: channel }, ID],
  ["a domain at the top level", createDomain(), domain, DOMAIN_ID],
  ["a domain in `data`", updateDomain(), { data: domain }, DOMAIN_ID],
  ["a domain as an array of one in `data`", createDomain(), { data: [domain] }, DOMAIN_ID],
])("reads %s", async (_form, call, body, id) => {
  const service = await startService([answer(200, body)]);
  const read = await call(clientOf(service.url));
  expect(read).toMatchObject({ id });
  expect(read).not.toHaveProperty("updated_at");
});

test("an update shows nowhere a destination that its response repeats, and does show a method", async () => {
  const errors = { value: [`no PUT to ${DESTINATION}`], [DESTINATION]: ["x"] };
  const step = answer(422, { message: `PUT ${DESTINATION}`, errors });
  const changes = { value: DESTINATION, type: "webhook", secondaryValue: "PUT" } as const;
  const { error } = await failureFrom([step], updateChannel(changes));

  expect(renderings(error)).not.toContain("s3cr3t");
  expect(error.message).toContain("no PUT to [redacted]");
});

const otherId = ID.replaceAll("9", "8");

test.each<[name: string, call: Call, sent: string, body: unknown]>([
  ["another channel", getChannel, "yes", wire.channel({ id: otherId })],
  ["no channel", getChannel, "yes", { data: null }],
  ["a list of channels", updateChannel(), "maybe", { data: [channel] }],
  ["a channel without a flag", updateChannel(), "maybe", wire.channel({ is_disabled: undefined })],
  ["another domain", updateDomain(), "maybe", wire.domain({ id: "another" })],
  ["several domains", updateDomain(), "maybe", { data: [domain, domain] }],
])("a response with %s is an error, and the call not repeated", async (_name, call, sent, body) => {
  const { error, service } = await failureFrom([answer(200, body)], call);
  expect(error).toMatchObject({ kind: "response", sent, status: 200, attempts: 1 });
  expect(service.requests).toHaveLength(1);
});

const html = { "content-type": "text/html; charset=UTF-8" };

test.each<[string, Step]>([
  ["is broken", raw("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{", reset)],
  ["is empty", raw("HTTP/1.1 204 No Content\r\n\r\n")],
  ["is too large", answer(200, "x".repeat(5000))],
  ["is text", answer(202, "OK")],
  ["is empty, and would be HTML", answer(200, "", html)],
  ["is JSON that calls itself HTML", answer(200, { message: "Deleted." }, html)],
])("a delete is done where the response is a success whose body %s", async (_name, step) => {
  const service = await startService([step]);
  expect(await deleteChannel(clientOf(service.url, { maxResponseBytes: 1024 }))).toBeUndefined();
  expect(service.requests).toHaveLength(1);
});

test.each<[name: string, call: Call]>([
  ["a create of a domain", createDomain()],
  ["an update of a channel", updateChannel()],
  ["an update of a domain", updateDomain()],
  ["a delete of a channel", deleteChannel],
])("%s is not done where the response is a success with an HTML page", async (_name, call) => {
  const { error, service } = await failureFrom([answer(202, "<html>Log in</html>", html)], call);

  expect(error).toMatchObject({ kind: "response", sent: "maybe", attempts: 1 });
  expect(error.status).toBeUndefined();
  expect(error.message).toMatch(/got 202 .*HTML/);
  expect(error.message).toMatch(/may have been (created|changed|deleted) anyway/);
  expect(service.requests).toHaveLength(1);
});

test("a delete whose response is an HTML page that breaks off is not done", async () => {
  const page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 500\r\n\r\n<html>";
  const { error } = await failureFrom([raw(page, reset)], deleteChannel, { maxRetries: 0 });
  expect(error).toMatchObject({ kind: "transport", sent: "maybe" });
});

test("a create of a domain that is lost is not sent again, and says what to look for", async () => {
  const { error, service } = await failureFrom([reset], createDomain());

  expect(error).toMatchObject({ sent: "maybe", operation: "domains.create" });
  expect(error.message).toContain('The domain "shop.example" may have been created anyway: look');
  expect(service.requests).toHaveLength(1);
});

test("a lost change stays unclear where only its last request was not sent, and is known where none was", async () => {
  const { url } = await startService([reset]);
  const onEvent = ({ type }: ClientEvent) => {
    // The service is gone before the next request.
    if (type === "retry") void closeAll();
  };

  const unclear = await failureOf(updateChannel()(clientOf(url, { onEvent })));
  const unsent = await failureOf(updateChannel()(clientOf(`http://127.0.0.1:${CLOSED_PORT}`)));

  expect(unclear).toMatchObject({ kind: "transport", sent: "maybe", attempts: 3 });
  expect(unclear.message).toContain("ECONNREFUSED");
  expect(unsent).toMatchObject({ kind: "transport", sent: "no" });
});

test.each<[sent: "maybe" | "yes", statuses: (number | "lost")[]]>([
  ["yes", [422]],
  ["yes", [501]],
  ["yes", [505]],
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
])("a change or a delete has `sent: %j` after %j", async (sent, statuses) => {
  for (const call of [updateChannel(), deleteChannel]) {
    const steps = statuses.map((status) =>
      status === "lost" ? fin : answer(status, { message: "No." }, { "retry-after": "0" }),
    );
    const { error, service } = await failureFrom(steps, call);

    expect(service.requests).toHaveLength(statuses.length);
    expect(error.sent).toBe(sent);
    expect(error.message.split("anyway")).toHaveLength(sent === "maybe" ? 2 : 1);
  }
});

const byId = "give the domain's id, a UUID: ";
const noList = "the service has no list of domains here (an experimental operation)";
const lacking = "A service without this operation gives the same response";
const ofChannels = [listChannels, getChannel, updateChannel(), deleteChannel];
const ofDomains = [createDomain(), updateDomain()];

test.each<[expected: string, step: Step, calls: Call[]]>([
  ["got 403, the API token lacks a permission, or the channel", answer(403, {}), ofChannels],
  [`not found: check the ids of domain and channel and the ba`, answer(404, {}), ofChannels],
  [`base address. ${lacking}`, answer(404, {}), ofChannels],
  ["got 405, the service does not have", answer(405, {}), [...ofChannels, ...ofDomains]],
  ["not found: check the domain's id, the base address and whose", answer(404, {}), ofDomains],
  [`whose token it is. ${lacking}`, answer(404, {}), ofDomains],
  ["got 403, the API token may not list domains: use a token with", answer(403, {}), [listDomains]],
  [
    "got 403 with an HTML page, as a firewall or a proxy in front of the service does: have it let",
    answer(403, "<html>", html),
    [listDomains, ...ofChannels, createDomain()],
  ],
  [`got 404, ${noList}: check the base address, or ${byId}`, answer(404, {}), [listDomains]],
  [`got 405, ${noList}: ${byId}`, answer(405, {}), [listDomains]],
  [`got 302, a redirect, as to a login page: ${noList}`, answer(302, ""), [listDomains]],
  [`got 404, ${noList}: `, answer(404, "<html>", html), [listDomains]],
  [`HTML page instead of JSON: ${noList}`, answer(200, "<html>", html), [listDomains]],
  [`: ${noList}: check the base address, or ${byId}`, answer(200, { user: 1 }), [listDomains]],
])("a refusal says in one line what it means: %s", async (expected, step, calls) => {
  for (const call of calls) {
    const { error, service } = await failureFrom([step], call);
    expect(error.message).toContain(expected);
    expect(error.message).not.toContain("\n");
    expect(service.requests).toHaveLength(1);
  }
});

test.each([
  ["refuses a token", answer(401, {})],
  ["fails", answer(500, {})],
  ["counts in words", answer(200, { ...wire.page([]), meta: { total: "two" } })],
])("a service that %s does not seem to lack the list of domains", async (_what, step) => {
  const { error } = await failureFrom([step], listDomains, { maxRetries: 0 });
  expect(error.message).not.toContain("list of domains");
});

type Records = AsyncIterable<{ id: string }>;
type Iterate = (client: DomainMonitoringClient, request?: { maxPages: number }) => Records;

async function idsOf(records: Records): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of records) ids.push(id);
  return ids;
}

test.each<[operation: string, path: string, record: typeof wire.domain, iterate: Iterate]>([
  ["domains.list", "/api/domains", wire.domain, ({ domains }, request) => domains.iterate(request)],
  [
    `notificationChannels.list of domain ${DOMAIN_ID}`,
    `${DOMAIN}/notification-channels`,
    wire.channel,
    ({ notificationChannels: channels }, request) => channels.iterate(DOMAIN_ID, request),
  ],
])(
  "%s is read page by page to its end, or to maxPages",
  async (operation, path, record, iterate) => {
    const ids = [ID, otherId];
    const records = ids.map((id) => record({ id }));
    const { service, client } = await startClient([pagesOf({ records, perPage: 1 })]);

    expect(await idsOf(iterate(client))).toEqual(ids);
    expect(service.requests.map((request) => request.path)).toEqual(
      [1, 2].map((page) => `${path}?page=${page}`),
    );

    const { message } = await failureOf(idsOf(iterate(client, { maxPages: 1 })));
    expect(message).toContain(`${operation}: the list has more than 1 pages`);
    expect(() => iterate(client, { maxPages: 0 })).toThrow(
      "maxPages is not a whole number 1 or more",
    );
  },
);
