/** The page envelope (interface.md, section 2.5), also of undocumented lists. */

import { fc } from "../../../test/support/properties";
import type { DomainSeed, EmulatorOptions } from "../src";
import { ask, at, emulatorForTest, HEALTHY } from "./support";

/**
 * Domains with records of these names, oldest first, and the field of a record that holds its name.
 */
const lists: [
  name: string,
  path: string,
  field: string,
  records: (names: string[]) => DomainSeed[],
][] = [
  [
    "changes",
    at.dns,
    "new_value",
    (names) => [
      { id: HEALTHY, dnsChanges: names.toReversed().map((name) => ({ newValue: name })) },
    ],
  ],
  [
    "channels",
    at.channels,
    "label",
    (names) => [{ id: HEALTHY, channels: names.map((label) => ({ label })) }],
  ],
  ["domains", at.domains, "label", (names) => names.map((label) => ({ label }))],
];

describe.each(lists)("a list of %s", (name, path, field, records) => {
  /** Only of changes the size of a page can be requested. */
  const query = (perPage: number) => (name === "changes" ? `per_page=${perPage}&` : "");

  it("has every record on exactly one page in the order of `listOrder`", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 30 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom("newest-first", "oldest-first"),
        async (total, perPage, listOrder) => {
          const names = Array.from({ length: total }, (_, index) => `Record ${index}`);
          const options: EmulatorOptions = { lifecycle: "managed", perPage, listOrder };

          const emulator = await emulatorForTest({ ...options, domains: records(names) });
          const address = (page: number) => `${path}?${query(perPage)}page=${page}`;
          const link = (page: number) => emulator.url + address(page);
          const last = Math.max(1, Math.ceil(total / perPage));
          const seen: string[] = [];
          for (let page = 1; page <= last; page += 1) {
            const { body } = await ask(emulator, `GET ${address(page)}`);

            expect(body.links).toEqual({
              first: link(1),
              last: link(last),
              prev: page > 1 ? link(page - 1) : null,
              next: page < last ? link(page + 1) : null,
            });

            const [from, to] =
              total === 0 ? [null, null] : [seen.length + 1, seen.length + body.data.length];

            expect(body.meta).toEqual({
              current_page: page,
              from,
              to,
              last_page: last,
              per_page: perPage,
              total,
            });

            seen.push(...body.data.map((record: Record<string, string>) => record[field]));
          }

          await emulator.close();

          expect(seen).toEqual(listOrder === "oldest-first" ? names : names.toReversed());
        },
      ),
      {
        numRuns: 15,
        examples: [
          [0, 1, "newest-first"],
          [24, 12, "newest-first"],
        ],
      },
    );
  });

  it("has 15 records on a page unless something else is chosen, and no page 0", async () => {
    const emulator = await emulatorForTest({
      lifecycle: "managed",
      domains: records(Array(16).fill("Record")),
    });

    const { body } = await ask(emulator, `GET ${path}`);
    const refused = await ask(emulator, `GET ${path}?page=0`);

    expect(body.data).toHaveLength(15);
    expect(body.links.next).toBe(`${emulator.url}${path}?${query(15)}page=2`);
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { page: [expect.any(String)] } },
    });
  });
});

describe("a page of changes", () => {
  it("beyond the last one has no records, and the way back", async () => {
    const emulator = await emulatorForTest({
      domains: [{ id: HEALTHY, dnsChanges: Array(5).fill({}) }],
    });

    expect((await ask(emulator, `GET ${at.dns}?per_page=2&page=9`)).body).toMatchObject({
      data: [],
      meta: { current_page: 9, from: null, to: null, last_page: 3, per_page: 2, total: 5 },
      links: { prev: `${emulator.url}${at.dns}?per_page=2&page=3`, next: null },
    });
  });

  it.each([
    "per_page=0",
    "per_page=101",
    "per_page=ten",
    "per_page=1.5",
    "per_page=",
    "per_page=1e1",
    "page=-1",
    "page=%205",
    "page=99999999999999999",
    "page=1&page=2",
  ])("is refused for %s, and the field is named", async (query) => {
    const emulator = await emulatorForTest();

    const errors = { [query.slice(0, query.indexOf("="))]: [expect.any(String)] };

    expect(await ask(emulator, `GET ${at.dns}?${query}`)).toMatchObject({
      status: 422,
      body: { errors },
    });
  });
});
