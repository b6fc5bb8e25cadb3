/** The page envelope (interface.md, section 2.5), also of undocumented lists. */
import { fc } from "../../../test/support/properties";
import type { DomainSeed, EmulatorOptions } from "../src";
import { at, HEALTHY } from "./examples";
import { ask, emulatorForTest } from "./support";

/** Makes domains with records of these names, oldest first. */
type Seeds = (names: string[]) => DomainSeed[];

const domains: Seeds = (names) => names.map((label) => ({ label }));
const channels: Seeds = (names) => [{ id: HEALTHY, channels: domains(names) }];
const changes: Seeds = (names) => [
  { id: HEALTHY, dnsChanges: names.toReversed().map((name) => ({ newValue: name })) },
];

/** The field of a record is that of its name. */
const lists: [name: string, path: string, field: string, records: Seeds][] = [
  ["changes", at.dns, "new_value", changes],
  ["channels", at.channels, "label", channels],
  ["domains", at.domains, "label", domains],
];

describe.each(lists)("a list of %s", (name, path, field, records) => {
  /** Only of changes the size of a page can be requested. */
  const query = (perPage: number) => (name === "changes" ? `per_page=${perPage}&` : "");

  it("has every record on exactly one page in the order of `listOrder`", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 12 }),
        fc.integer({ min: 1, max: 6 }),
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

            const size = { last_page: last, per_page: perPage, total };
            expect(body.meta).toEqual({ current_page: page, from, to, ...size });
            seen.push(...body.data.map((record: Record<string, string>) => record[field]));
          }

          await emulator.close();
          expect(seen).toEqual(listOrder === "oldest-first" ? names : names.toReversed());
        },
      ),
      {
        numRuns: 6,
        examples: [
          [0, 6, "newest-first"],
          // Full pages.
          [12, 6, "oldest-first"],
        ],
      },
    );
  });

  it("has 15 records on a page unless something else is chosen, and no page 0", async () => {
    const domains = records(Array(16).fill("Record"));
    const emulator = await emulatorForTest({ lifecycle: "managed", domains });
    const { body } = await ask(emulator, `GET ${path}`);
    const refused = await ask(emulator, `GET ${path}?page=0`);
    const errors = { page: [expect.any(String)] };

    expect(body.data).toHaveLength(15);
    expect(body.links.next).toBe(`${emulator.url}${path}?${query(15)}page=2`);
    expect(refused).toMatchObject({ status: 422, body: { errors } });
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
    ...["0", "101", "ten", "1.5", "", "1e1"].map((size) => `per_page=${size}`),
    ...["-1", "%205", "99999999999999999", "1&page=2"].map((page) => `page=${page}`),
  ])("is refused for %s, and the field is named", async (query) => {
    const errors = { [query.slice(0, query.indexOf("="))]: [expect.any(String)] };
    const refused = await ask(await emulatorForTest(), `GET ${at.dns}?${query}`);
    expect(refused).toMatchObject({ status: 422, body: { errors } });
  });
});
