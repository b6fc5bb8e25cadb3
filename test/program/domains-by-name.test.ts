/** Functions that need experimental lists: domains by name, all domains, channels of a domain. */
import * as pulumi from "@pulumi/pulumi";
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import {
  type GetDomainArgs,
  getDomain,
  getDomainOutput,
  getDomains,
  getDomainsOutput,
  getNotificationChannels,
  getNotificationChannelsOutput,
  Provider,
} from "../../src";
import { failureOf } from "../support/failure";
import { beginRun, configureFor, idle, knownValue } from "./support/in-process";

const SHOP = "11111111-1111-4111-8111-111111111111";
const BLOG = "22222222-2222-4222-8222-222222222222";
const BOOKS = "33333333-3333-4333-8333-333333333333";
let service: Emulator;

async function start(options: EmulatorOptions = {}): Promise<void> {
  await service?.close();
  service = await startEmulator({
    lifecycle: "managed",
    domains: [
      { id: SHOP, domain: "shop.example", label: "Shop" },
      { id: BLOG, domain: "blog.example", label: "Blog" },
      { id: BOOKS, domain: "xn--bcher-kva.example", label: "Books" },
    ],
    ...options,
  });

  await beginRun({ preview: false });
  configureFor(service);
}

beforeEach(() => start());

afterEach(async () => {
  await idle();
  await service.close();
});

const operations = () => service.requests.map(({ operation }) => operation);

describe("getDomain by name", () => {
  it.each([
    ["Shop.Example.", SHOP],
    ["bücher.example", BOOKS],
  ])("finds %s, and returns the domain as by id", async (domain, id) => {
    expect(await getDomain({ domain })).toEqual(await getDomain({ id }));
    expect(await knownValue(getDomainOutput({ domain: pulumi.output(domain) }).id)).toBe(id);
  });

  it("says how many domains it looked at where there is none", async () => {
    const message = async () => (await failureOf(getDomain({ domain: "far.away" }))).message;
    expect(await message()).toBe(
      'domain "far.away" is not one of the 3 domains of this account: correct it, check the account, or give the domain\'s id',
    );

    for (const { id } of service.domains().slice(1)) service.removeDomain(id);
    expect(await message()).toContain("is not the only domain of");

    service.removeDomain(SHOP);
    expect(await message()).toContain("one of the 0 domains of");
  });

  it("refuses a name that is listed twice, with ids and labels on one line", async () => {
    service.updateDomain(BLOG, { domain: "SHOP.example.", label: "Second\nshop" });

    expect((await failureOf(getDomain({ domain: "shop.example" }))).message).toBe(
      `2 domains are named "shop.example": give the id of the one to use: ${SHOP} ("Shop"), ${BLOG} ("Second shop")`,
    );
    expect(await getDomain({ id: BLOG })).toMatchObject({ label: "Second\nshop" });
  });

  it("is secret where the name is", async () => {
    const output = getDomainOutput({ domain: pulumi.secret("shop.example") });
    expect(await pulumi.isSecret(output)).toBe(true);
  });
});

const both = "getDomain takes exactly one of id and domain: give the domain's id, or its name";
const name = "domain is not a domain name: use one such as";

it.each<[args: Record<string, unknown>, expected: string]>([
  [{}, both],
  [{ id: SHOP, domain: "shop.example" }, both],
  [{ domian: "shop.example" }, '"domian" is not an argument of getDomain: use id or domain'],
  [{ domain: "" }, name],
  [{ domain: "https://shop.example/" }, name],
  [{ id: "" }, "id is not a valid id"],
  [{ id: "shop.example" }, "doctor --domain shop.example"],
  [{ id: `${SHOP}\n` }, "id "],
])("what is not one of id and domain is refused unasked: %j", async (args, expected) => {
  const error = await failureOf(getDomain(args as unknown as GetDomainArgs));
  expect(error).toMatchObject({ kind: "validation" });
  expect(error.message).toContain(expected);
  expect(service.requests).toEqual([]);
});

describe("the list of domains", () => {
  it("is read once for a hundred look-ups that begin together, and for later ones", async () => {
    const domains = Array.from({ length: 100 }, (_, index) => ({ domain: `${index}.example` }));
    await start({ domains, perPage: 100 });
    const promises = domains.slice(0, 50).map(({ domain }) => getDomain({ domain }));
    const outputs = domains.slice(50).map(({ domain }) => knownValue(getDomainOutput({ domain })));
    const found = await Promise.all([...promises, ...outputs]);
    await getDomain({ domain: "7.example" });

    expect(found.map(({ domain }) => domain)).toEqual(domains.map(({ domain }) => domain));
    expect(operations()).toEqual(["listDomains"]);
  });

  it("is read again after a reading that failed, in which all who waited fail", async () => {
    service.fault({ operation: "listDomains", status: 403 });
    const both = ["shop.example", "blog.example"].map((domain) => failureOf(getDomain({ domain })));
    for (const error of await Promise.all(both))
      expect(error).toMatchObject({ kind: "http", status: 403 });

    expect(await getDomain({ domain: "shop.example" })).toMatchObject({ id: SHOP });
    expect(operations()).toEqual(["listDomains", "listDomains"]);
  });

  it("is read once more for names that an earlier reading does not have", async () => {
    await getDomain({ domain: "shop.example" });
    const later = [{ domain: "new.example" }, { domain: "newer.example" }];
    for (const domain of later) service.addDomain(domain);

    expect(await Promise.all(later.map((args) => getDomain(args)))).toMatchObject(later);
    expect(operations()).toEqual(["listDomains", "listDomains"]);
  });

  it("is read anew by each run of a program in one process", async () => {
    expect(await getDomain({ domain: "shop.example" })).toMatchObject({ label: "Shop" });

    service.updateDomain(SHOP, { label: "Renamed" });
    await beginRun({ preview: false });
    expect(await getDomain({ domain: "shop.example" })).toMatchObject({ label: "Renamed" });
    expect(operations()).toEqual(["listDomains", "listDomains"]);
  });

  it("is that of the account of an explicit provider", async () => {
    const domains = [{ id: BLOG, domain: "shop.example" }];
    await using other = await startEmulator({ lifecycle: "managed", domains });
    const provider = new Provider("other", { baseUrl: other.url, apiToken: other.token });
    expect(await getDomain({ domain: "shop.example" }, { provider })).toMatchObject({ id: BLOG });
    expect(await getDomain({ domain: "shop.example" })).toMatchObject({ id: SHOP });
    expect((await getDomains({}, { provider })).total).toBe(1);
  });
});

describe("getDomains", () => {
  it("returns every domain by name and id, and how many there are", async () => {
    const second = { id: BLOG, domain: "b.example" };
    const domains = [{ id: BOOKS, domain: "b.example" }, { id: SHOP, domain: "a.example" }, second];
    await start({ domains, perPage: 1 });

    const all = await getDomains();
    expect(all).toMatchObject({ total: 3, truncated: false });
    expect(all.domains.map(({ id }) => id)).toEqual([SHOP, BLOG, BOOKS]);
    expect(all.domains[0]).toEqual(await getDomain({ id: SHOP }));
    const two = { total: 3, truncated: true, domains: all.domains.slice(0, 2) };
    expect(await getDomains({ limit: 2 })).toEqual(two);
    expect(await getDomains({ limit: 3 })).toEqual(all);
    expect(await knownValue(getDomainsOutput())).toEqual(all);
    const first = getDomainsOutput({ limit: pulumi.output(1) }).domains;
    expect(await knownValue(first)).toEqual(all.domains.slice(0, 1));
  });

  it("returns 1000 domains where no limit is given", async () => {
    const domains = Array.from({ length: 1001 }, () => ({}));
    await start({ domains, perPage: 1001 });
    const answer = await getDomains();
    expect(answer).toMatchObject({ total: 1001, truncated: true });
    expect(answer.domains).toHaveLength(1000);
  });

  it("reads the list each time, and look-ups by name share its reading", async () => {
    await getDomains();
    service.addDomain({ domain: "new.example" });
    const both = await Promise.all([getDomains(), getDomain({ domain: "new.example" })]);
    expect(both).toMatchObject([{ total: 4 }, { domain: "new.example" }]);
    expect(operations()).toEqual(["listDomains", "listDomains"]);
  });

  it("refuses a limit that is not a whole number, before anything is asked", async () => {
    const error = await failureOf(getDomains({ limit: 1.5 }));
    expect(error).toMatchObject({ kind: "validation" });
    expect(error.message).toContain("limit is not a whole number of 1 or more");
    expect(service.requests).toEqual([]);
  });
});

describe("getNotificationChannels", () => {
  const DESTINATION = "https://hooks.example.com/s3cr3t";
  const older = {
    id: "c2222222-2222-4222-8222-222222222222",
    label: "On call",
    type: "slack",
    value: DESTINATION,
    isDisabled: true,
    disabledReason: "410 Gone",
    createdAt: "2026-01-01 00:00:00",
  };

  const newer = { id: "c1111111-1111-4111-8111-111111111111", createdAt: "2026-01-02 00:00:00" };
  const { value: _destination, ...shown } = older;
  const result = {
    ...shown,
    whoisNotificationsEnabled: true,
    dnsNotificationsEnabled: true,
    sslNotificationsEnabled: true,
    isProtected: false,
    lastNotificationSentAt: null,
  };

  it("returns the channels oldest first, without destinations and relative times", async () => {
    for (const listOrder of ["newest-first", "oldest-first"] as const) {
      await start({ domains: [{ id: SHOP, channels: [older, newer] }], listOrder, perPage: 1 });
      const found = await getNotificationChannels({ domainId: SHOP });
      expect(found).toMatchObject({ domainId: SHOP, total: 2 });
      expect(found.channels[0]).toEqual(result);
      expect(found.channels.map(({ id }) => id)).toEqual([older.id, newer.id]);
      const output = getNotificationChannelsOutput({ domainId: pulumi.output(SHOP) });
      expect(await knownValue(output)).toEqual(found);
      expect(JSON.stringify(found)).not.toMatch(/human|s3cr3t/i);
    }
  });

  it("is one line where the service lacks the list, and where another argument is given", async () => {
    await start({ lifecycle: "create-only" });
    const lacking = await failureOf(getNotificationChannels({ domainId: SHOP }));
    expect(lacking).toMatchObject({ kind: "http", status: 405 });

    const args = { domainId: SHOP, limit: 5 } as { domainId: string };
    expect((await failureOf(getNotificationChannels(args))).message).toBe(
      '"limit" is not an argument of getNotificationChannels: use domainId',
    );
    expect(operations()).toEqual([null]);
  });
});
