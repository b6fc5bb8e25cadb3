/** Lists with records that cannot be read: what a program is told, so that it misses nothing. */
import { DomainMonitoringClient } from "../../src/client";
import * as functions from "../../src/functions";
import type { Host, ServiceFunction } from "../../src/functions/function";
import { useEmulator } from "../support/emulator";
import { type Fields, serveOddly } from "../support/odd-list";

const SHOP = "11111111-1111-4111-8111-111111111111";
const BLOG = "22222222-2222-4222-8222-222222222222";
const RECORD = "33333333-3333-4333-8333-333333333333";
const records = [{ id: RECORD }, {}];
const lists = { whoisChanges: records, dnsChanges: records, channels: records };
const shop = { id: SHOP, domain: "shop.example", ...lists };
const blog = { id: BLOG, domain: "blog.example" };
const service = useEmulator({ lifecycle: "managed", domains: [shop, blog] });
let client: DomainMonitoringClient;

beforeEach(() => {
  const { url: baseUrl, token: apiToken } = service;
  client = new DomainMonitoringClient({ baseUrl, apiToken, maxRetries: 0 });
});

afterEach(() => client.close());

type Asked<R extends object> = ServiceFunction<object, R>;

async function call<R extends object>(asked: Asked<R>, args: object): Promise<R> {
  const host: Host = { client, warn: () => undefined, failure: (line) => new Error(line) };
  return asked.run(args, host);
}

/** Lists the domains, but changes the record of the blog. */
const breakBlog = (change: (record: Fields) => unknown) =>
  serveOddly(service, "listDomains", "", (record) =>
    record.id === BLOG ? change(record) : record,
  );

describe("a domain that cannot be read", () => {
  const lookUp = (domain: string) => call(functions.getDomain, { domain });

  it("is named if it is looked for or all are, and no obstacle to another one by its name", async () => {
    await breakBlog((record) => ({ ...record, components: null }));
    expect(await lookUp("shop.example")).toMatchObject({ id: SHOP });
    const rule = { domain: "SHOP.example.", minimumDays: 1 };
    expect(await call(functions.requireDomainExpiry, rule)).toMatchObject({ status: "ok" });

    const unreadable = [{ id: BLOG, domain: "blog.example" }];
    const named = { kind: "response", operation: "domains.list", unreadable };
    await expect(lookUp("blog.example")).rejects.toMatchObject(named);
    await expect(call(functions.getDomains, {})).rejects.toMatchObject(named);
    const unknown = { kind: "validation", message: expect.stringContaining("is not ") };
    await expect(lookUp("shp.example")).rejects.toMatchObject(unknown);
  });

  it("may have any name if it shows none", async () => {
    await breakBlog(() => ({ id: BLOG }));
    expect(await lookUp("shop.example")).toMatchObject({ id: SHOP });
    await expect(lookUp("new.example")).rejects.toMatchObject({ kind: "response" });
  });
});

const LISTS = {
  listWhoisChanges: "changes/whois",
  listDnsChanges: "changes/dns",
  listNotificationChannels: "notification-channels",
};

const later = { since: "2999-01-01" };

it.each<[name: string, list: keyof typeof LISTS, asked: Asked<object>, args: object]>([
  ["getWhoisChanges", "listWhoisChanges", functions.getWhoisChanges, {}],
  ["getWhoisChanges of a page", "listWhoisChanges", functions.getWhoisChanges, { page: 1 }],
  ["getWhoisChanges since a later day", "listWhoisChanges", functions.getWhoisChanges, later],
  ["getDnsChanges", "listDnsChanges", functions.getDnsChanges, { limit: 1 }],
  ["getDnsChanges of a page", "listDnsChanges", functions.getDnsChanges, { page: 1, perPage: 2 }],
  ["getNotificationChannels", "listNotificationChannels", functions.getNotificationChannels, {}],
])("%s names a record that it cannot read, and fails", async (_name, list, asked, args) => {
  const ofShop = { domainId: SHOP, ...args };
  expect(await call(asked, ofShop)).toBeDefined();

  await serveOddly(service, list, `/${SHOP}/${LISTS[list]}`, (record) =>
    record.id === RECORD ? { ...record, created_at: 5 } : record,
  );

  const message = expect.stringContaining(`(${RECORD}, created_at: expected a string)`);
  const named = { kind: "response", message, unreadable: [{ id: RECORD }] };
  await expect(call(asked, ofShop)).rejects.toMatchObject(named);
});
