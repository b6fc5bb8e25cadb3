import fc from "fast-check";
import { readDnsPage, readWhoisPage } from "../../../../src/client/wire";
import type { Emulator } from "../../../../src/testing/emulator";
import { closeEmulators, emulatorForTest, get } from "../support";

afterEach(closeEmulators);

const seeds = (total: number) => Array.from({ length: total }, (_, index) => ({ id: `change-${index}` }));
const ids = (total: number) => seeds(total).map(({ id }) => id);

async function domainWithChanges(total: number) {
  const emulator = await emulatorForTest({ domains: [] });
  const id = emulator.addDomain({ whoisChanges: seeds(total) });
  const list = `/api/domains/${id}/changes/whois`;
  const page = async (query: string) => readWhoisPage(await (await get(emulator, list + query)).json());
  return { emulator, page, address: emulator.url + list };
}

describe("pagination", () => {
  it("shows 15 records of the first page where nothing else is asked for", async () => {
    const { page, address } = await domainWithChanges(16);

    const { data, meta, links } = await page("");

    expect(data.map(({ id }) => id)).toEqual(ids(16).slice(0, 15));
    expect(meta).toEqual({ currentPage: 1, from: 1, to: 15, lastPage: 2, perPage: 15, total: 16 });
    expect(links).toEqual({
      first: `${address}?per_page=15&page=1`,
      last: `${address}?per_page=15&page=2`,
      prev: null,
      next: `${address}?per_page=15&page=2`,
    });
  });

  it("has one empty page where there is nothing, without a first and a last record", async () => {
    const { page, address } = await domainWithChanges(0);

    const { data, meta, links } = await page("?per_page=100");

    expect(data).toEqual([]);
    expect(meta).toEqual({ currentPage: 1, from: null, to: null, lastPage: 1, perPage: 100, total: 0 });
    expect(links).toMatchObject({ last: `${address}?per_page=100&page=1`, prev: null, next: null });
  });

  it("answers a page beyond the last one with no records and the way back", async () => {
    const { page, address } = await domainWithChanges(5);

    const { data, meta, links } = await page("?per_page=2&page=9");

    expect(data).toEqual([]);
    expect(meta).toEqual({ currentPage: 9, from: null, to: null, lastPage: 3, perPage: 2, total: 5 });
    expect(links).toMatchObject({ prev: `${address}?per_page=2&page=3`, next: null });
  });

  it.each([
    "per_page=0",
    "per_page=101",
    "per_page=ten",
    "per_page=1.5",
    "per_page=",
    "page=0",
    "page=-1",
    "page=x",
    "per_page=1e1",
    "per_page=0x10",
    "page=%205",
    "page=99999999999999999",
    "page=1&page=2",
  ])("refuses %s and names the field", async (query) => {
    const { emulator, address } = await domainWithChanges(1);

    const answer = await get(emulator, `${address.slice(emulator.url.length)}?${query}`);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({
      message: expect.any(String),
      errors: { [query.slice(0, query.indexOf("="))]: [expect.any(String)] },
    });
  });

  it("serves every record exactly once, with links that agree with the numbers, for any total and page size", async () => {
    const emulator = await emulatorForTest({ domains: [] });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 100 }), async (total, perPage) => {
        const id = emulator.addDomain({ dnsChanges: seeds(total) });
        const seen = await walk(emulator, `${emulator.url}/api/domains/${id}/changes/dns`, total, perPage);
        expect(seen).toEqual(ids(total));
      }),
      {
        numRuns: 40,
        examples: [
          [60, 1],
          [30, 15],
          [0, 1],
          [1, 1],
        ],
      },
    );
  });
});

async function walk(emulator: Emulator, address: string, total: number, perPage: number): Promise<string[]> {
  const link = (page: number) => `${address}?per_page=${perPage}&page=${page}`;
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const seen: string[] = [];
  let next: string | null = link(1);
  for (let number = 1; next !== null; number += 1) {
    const answer: Response = await get(emulator, next.slice(emulator.url.length));
    const { data, links, meta } = readDnsPage(await answer.json());
    expect(meta).toEqual({
      currentPage: number,
      from: total === 0 ? null : seen.length + 1,
      to: total === 0 ? null : seen.length + data.length,
      lastPage,
      perPage,
      total,
    });
    expect(links).toEqual({
      first: link(1),
      last: link(lastPage),
      prev: number > 1 ? link(number - 1) : null,
      next: number < lastPage ? link(number + 1) : null,
    });
    seen.push(...data.map(({ id }) => id));
    next = links.next;
  }
  return seen;
}
