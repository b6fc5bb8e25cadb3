/** The list of domains, which the interface does not show: served with `lifecycle: "managed"`. */
import fc from "fast-check";
import { closeEmulators, emulatorForTest, get, send } from "../support";

afterEach(closeEmulators);

const LIST = "/api/domains";

async function said(answer: Response) {
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

it("is not there without the option, and no fault can name it", async () => {
  const emulator = await emulatorForTest();
  const rule = { operation: "listDomains", status: 500 } as const;

  expect(await said(await get(emulator, LIST))).toEqual({
    status: 404,
    body: { message: "There is nothing at this address." },
  });
  expect((await send(emulator, "POST", LIST, {})).status).toBe(404);
  expect(emulator.requests.map(({ operation }) => operation)).toEqual([null, null]);
  expect(() => emulator.fault(rule)).toThrow("`operation` is listDomains, which is not served");
});

it("is a page of domains, each as a read of it", async () => {
  const emulator = await emulatorForTest({ lifecycle: "managed", now: "2026-01-31", domains: [{}] });
  const [domain] = emulator.domains();
  const { body } = await said(await get(emulator, `${LIST}/${domain?.id}`));

  expect(await said(await get(emulator, LIST))).toEqual({
    status: 200,
    body: {
      data: [body],
      links: {
        first: `${emulator.url}${LIST}?page=1`,
        last: `${emulator.url}${LIST}?page=1`,
        prev: null,
        next: null,
      },
      meta: { current_page: 1, from: 1, last_page: 1, per_page: 15, to: 1, total: 1 },
    },
  });
});

it("has every domain on exactly one page, in the order of `listOrder`", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("newest-first", "oldest-first"),
      async (total, perPage, listOrder) => {
        const names = Array.from({ length: total }, (_, index) => `${index}.example`);
        const domains = names.map((domain) => ({ domain }));
        const emulator = await emulatorForTest({
          ...{ lifecycle: "managed", domains, listOrder, managed: { perPage } },
        });
        const seen: string[] = [];
        const pages = Math.max(1, Math.ceil(total / perPage));
        for (let page = 1; page <= pages; page += 1) {
          const { body } = await said(await get(emulator, `${LIST}?page=${page}`));
          expect(body.meta).toMatchObject({
            current_page: page,
            last_page: pages,
            per_page: perPage,
            total,
          });
          seen.push(...body.data.map(({ domain }: { domain: string }) => domain));
        }
        await emulator.close();
        expect(seen).toEqual(listOrder === "oldest-first" ? names : names.reverse());
      },
    ),
    { numRuns: 15 },
  );
});

it("refuses a page that is none, another method, and a wrong token", async () => {
  const emulator = await emulatorForTest({ lifecycle: "managed" });

  expect(await said(await get(emulator, `${LIST}?page=0`))).toMatchObject({
    status: 422,
    body: { errors: { page: [expect.any(String)] } },
  });
  const posted = await send(emulator, "POST", LIST, {});
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  expect((await fetch(emulator.url + LIST)).status).toBe(401);
});

it("fails as a fault by its name says, and the other operations do not", async () => {
  const emulator = await emulatorForTest({ lifecycle: "managed" });
  emulator.fault({ operation: "listDomains", status: 503 });

  expect((await get(emulator, `${LIST}/${emulator.domains()[0]?.id}`)).status).toBe(200);
  expect((await get(emulator, LIST)).status).toBe(503);
  expect((await get(emulator, LIST)).status).toBe(200);
});
