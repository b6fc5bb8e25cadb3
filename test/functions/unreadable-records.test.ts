/** Lists with records that cannot be read: what a program is told, so that it misses nothing. */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DomainMonitoringClient } from "../../src/client";
import {
  getDnsChanges,
  getDomain,
  getDomains,
  getNotificationChannels,
  getWhoisChanges,
  requireDomainExpiry,
} from "../../src/functions";
import type { Host, ServiceFunction } from "../../src/functions/function";
import { type Fields, serveOddly } from "../support/odd-list";

const SHOP = "11111111-1111-4111-8111-111111111111";
const BLOG = "22222222-2222-4222-8222-222222222222";
const CHANGE = "33333333-3333-4333-8333-333333333333";
let service: Emulator;
let client: DomainMonitoringClient;

beforeEach(async () => {
  const changes = [{ id: CHANGE }, {}];
  const shop = { id: SHOP, domain: "shop.example", whoisChanges: changes, dnsChanges: changes };
  const blog = { id: BLOG, domain: "blog.example", channels: [{ id: CHANGE }] };
  service = await startEmulator({ lifecycle: "managed", domains: [shop, blog] });
  const { url: baseUrl, token: apiToken } = service;
  client = new DomainMonitoringClient({ baseUrl, apiToken, maxRetries: 0 });
});

afterEach(async () => {
  await client.close();
  await service.close();
});

type Asked<R extends object> = ServiceFunction<object, R>;

async function call<R extends object>(asked: Asked<R>, args: object): Promise<R> {
  const host: Host = { client, warn: () => undefined, failure: (line) => new Error(line) };
  return asked.run(args, host);
}

const breakDomain = (id: string, change: (record: Fields) => unknown) =>
  serveOddly(service, "listDomains", "", (record) => (record.id === id ? change(record) : record));

const withoutSsl = (record: Fields) => ({
  ...record,
  components: { ...(record.components as Fields), ssl: null },
});

describe("a domain that cannot be read", () => {
  it("is no obstacle to another one by its name", async () => {
    await breakDomain(BLOG, withoutSsl);
    expect(await call(getDomain, { domain: "shop.example" })).toMatchObject({ id: SHOP });
    const rule = { domain: "SHOP.example.", minimumDays: 1 };
    expect(await call(requireDomainExpiry, rule)).toMatchObject({ status: "ok" });
  });

  it("is named with the reason if it is the one that is looked for", async () => {
    await breakDomain(BLOG, withoutSsl);
    await expect(call(getDomain, { domain: "blog.example" })).rejects.toMatchObject({
      kind: "response",
      message: `domains.list: 1 record cannot be read (${BLOG}, components.ssl: expected an object): the service may have changed: update this package, or report it`,
    });
  });

  it("does not make a misspelt name one that may exist", async () => {
    await breakDomain(BLOG, withoutSsl);
    const refused = { kind: "validation", message: expect.stringContaining("is not ") };
    await expect(call(getDomain, { domain: "shp.example" })).rejects.toMatchObject(refused);
  });

  it("may have any name if it shows none", async () => {
    await breakDomain(BLOG, () => ({ id: BLOG }));
    expect(await call(getDomain, { domain: "shop.example" })).toMatchObject({ id: SHOP });
    const refused = { kind: "response" };
    await expect(call(getDomain, { domain: "new.example" })).rejects.toMatchObject(refused);
  });

  it("fails a program that asks for all domains", async () => {
    await breakDomain(BLOG, withoutSsl);
    const unreadable = [{ id: BLOG, domain: "blog.example" }];
    const refused = { kind: "response", operation: "domains.list", unreadable };
    await expect(call(getDomains, {})).rejects.toMatchObject(refused);
  });
});

describe("a change that cannot be read", () => {
  const later = { domainId: SHOP, since: "2999-01-01" };

  it.each<[name: string, kind: "whois" | "dns", asked: Asked<object>, args: object]>([
    ["getWhoisChanges", "whois", getWhoisChanges, { domainId: SHOP }],
    ["getWhoisChanges of a page", "whois", getWhoisChanges, { domainId: SHOP, page: 1 }],
    ["getWhoisChanges since a day after it", "whois", getWhoisChanges, later],
    ["getDnsChanges", "dns", getDnsChanges, { domainId: SHOP, limit: 1 }],
    ["getDnsChanges of a page", "dns", getDnsChanges, { domainId: SHOP, page: 1, perPage: 2 }],
  ])("fails %s with an error that names it", async (_name, kind, asked, args) => {
    expect(await call(asked, args)).toBeDefined();

    const operation = kind === "whois" ? "listWhoisChanges" : "listDnsChanges";
    await serveOddly(service, operation, `/${SHOP}/changes/${kind}`, (record) =>
      record.id === CHANGE ? { ...record, created_at: null } : record,
    );

    const problem = `1 record cannot be read (${CHANGE}, created_at: expected a string)`;
    const message = expect.stringContaining(problem);
    const refused = { kind: "response", message, unreadable: [{ id: CHANGE }] };
    const named = { ...refused, operation: `${kind}Changes.list` };
    await expect(call(asked, args)).rejects.toMatchObject(named);
  });
});

it("a channel that cannot be read fails getNotificationChannels with an error that names it", async () => {
  const odd = (record: Fields) => ({ ...record, is_disabled: "no" });
  const address = `/${BLOG}/notification-channels`;
  await serveOddly(service, "listNotificationChannels", address, odd);
  const problem = `1 record cannot be read (${CHANGE}, is_disabled: expected a boolean)`;
  await expect(call(getNotificationChannels, { domainId: BLOG })).rejects.toThrow(problem);
});
