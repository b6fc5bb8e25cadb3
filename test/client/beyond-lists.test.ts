/** The undocumented lists of domains and of a domain's channels: their pages, and how reading them ends. */
import type { DomainMonitoringClient } from "../../src/client";
import type { CallOptions } from "../../src/client/types";
import { startEmulator } from "../../src/testing/emulator";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, failureOf, TOKEN } from "./support/client";
import { answer, startService } from "./support/service";
import * as wire from "./support/wire";

isolateTests();

const { DOMAIN_ID } = wire;

const lists = [
  {
    operation: "domains.list",
    path: "/api/domains",
    name: "domains.list",
    record: wire.domain(),
    list: ({ domains }: DomainMonitoringClient, request?: { page?: number }) => domains.list(request),
    iterate: ({ domains }: DomainMonitoringClient, request?: { maxPages?: number }, call?: CallOptions) =>
      domains.iterate(request, call),
  },
  {
    operation: "notificationChannels.list",
    path: `/api/domains/${DOMAIN_ID}/notification-channels`,
    name: `notificationChannels.list of domain ${DOMAIN_ID}`,
    record: wire.channel(),
    list: ({ notificationChannels }: DomainMonitoringClient, request?: { page?: number }) =>
      notificationChannels.list(DOMAIN_ID, request),
    iterate: (
      { notificationChannels }: DomainMonitoringClient,
      request?: { maxPages?: number },
      call?: CallOptions,
    ) => notificationChannels.iterate(DOMAIN_ID, request, call),
  },
];

/** Has two domains, of which the older one has two channels; one record a page, the newest first. */
async function startTwoPages() {
  const records = [{ label: "older" }, { label: "newer" }];
  const domains = [{ ...records[0], id: DOMAIN_ID, channels: records }, { ...records[1] }];
  const emulator = await startEmulator({
    lifecycle: "managed",
    perPage: 1,
    token: TOKEN,
    domains,
  });
  closeLater(() => emulator.close());
  return emulator;
}

async function labelsOf(records: AsyncIterable<{ label: string }>): Promise<string[]> {
  const labels: string[] = [];
  for await (const { label } of records) labels.push(label);
  return labels;
}

describe.each(lists)("$operation", ({ operation, path, name, record, list, iterate }) => {
  test("returns any page", async () => {
    const emulator = await startTwoPages();
    const client = clientOf(emulator.url);
    const pages = [await list(client), await list(client, {}), await list(client, { page: 2 })];
    expect(pages.map(({ data }) => data.map(({ label }) => label))).toEqual([
      ["newer"],
      ["newer"],
      ["older"],
    ]);
    expect(emulator.requests.map((request) => request.path)).toEqual([path, path, `${path}?page=2`]);
  });

  test("is read to its end", async () => {
    const emulator = await startTwoPages();
    expect(await labelsOf(iterate(clientOf(emulator.url)))).toEqual(["newer", "older"]);
    expect(emulator.requests.map((request) => request.path)).toEqual(
      [1, 2].map((page) => `${path}?page=${page}`),
    );
  });

  test.each([0, -1, 1.5, Number.NaN])("is not asked for with %p as a page or as maxPages", async (page) => {
    const service = await startService();
    const client = clientOf(service.url);
    expect(await failureOf(list(client, { page }))).toMatchObject({ kind: "validation" });
    expect(() => iterate(client, { maxPages: page })).toThrow("maxPages is not a whole number");
    expect(service.requests).toEqual([]);
  });

  test("is one page if the service sends it without pages, also an empty one", async () => {
    for (const data of [[record], []]) {
      const service = await startService([answer(200, { data })]);
      expect(await labelsOf(iterate(clientOf(service.url)))).toHaveLength(data.length);
      expect(service.requests.map((request) => request.path)).toEqual([`${path}?page=1`]);
    }
  });

  test("ends with an error after maxPages, if the service refuses, and with the caller's signal", async () => {
    const emulator = await startTwoPages();
    const read = (maxPages?: number, call?: CallOptions) =>
      failureOf(labelsOf(iterate(clientOf(emulator.url), { maxPages }, call)));
    expect(await read(1)).toMatchObject({
      kind: "response",
      operation,
      message: expect.stringContaining(`${name}: the list has more than 1 pages`),
    });
    emulator.fault({ status: 403 });
    expect(await read()).toMatchObject({ kind: "http", status: 403 });
    const before = emulator.requests.length;
    expect(await read(undefined, { signal: AbortSignal.abort() })).toMatchObject({ kind: "aborted" });
    expect(emulator.requests).toHaveLength(before);
  });
});
