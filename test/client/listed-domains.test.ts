/** The list of domains, which the interface does not show, on the emulator and on a service that does what it is told. */
import fc from "fast-check";
import type { EmulatorOptions } from "../../src/testing/emulator";
import { startEmulator } from "../../src/testing/emulator";
import { closeAll, closeLater, isolateTests } from "./support/cleanup";
import { clientOf, failureOf, TOKEN } from "./support/client";
import { answer, type Step, startService } from "./support/service";
import * as wire from "./support/wire";

isolateTests();

async function emulatorOf(options: EmulatorOptions) {
  const emulator = await startEmulator({ lifecycle: "managed", token: TOKEN, now: "2026-01-31", ...options });
  closeLater(() => emulator.close());
  return emulator;
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}

const named = (...names: string[]) => names.map((domain) => ({ domain }));

describe("the list of domains", () => {
  test("has each domain as a read of it by id", async () => {
    const emulator = await emulatorOf({ domains: [{ domain: "a.example" }, { checked: false }] });
    const { domains } = clientOf(emulator.url);

    const { data, meta } = await domains.list();

    expect(meta).toMatchObject({ total: 2, currentPage: 1, lastPage: 1 });
    expect(data).toEqual(await Promise.all(data.map(({ id }) => domains.get(id))));
  });

  test("may be more than one page, each of which can be asked for", async () => {
    const emulator = await emulatorOf({ domains: named("a.example", "b.example"), managed: { perPage: 1 } });
    const { domains } = clientOf(emulator.url);
    const names = async (request?: { page?: number }) =>
      (await domains.list(request)).data.map(({ domain }) => domain);

    expect(await names()).toEqual(["b.example"]);
    expect(await names({})).toEqual(["b.example"]);
    expect(await names({ page: 2 })).toEqual(["a.example"]);
    expect(emulator.requests.map(({ path, operation }) => [path, operation])).toEqual([
      ["/api/domains", "listDomains"],
      ["/api/domains", "listDomains"],
      ["/api/domains?page=2", "listDomains"],
    ]);
  });

  test.each([0, -1, 1.5, Number.NaN])("is not asked for with %p as a page or as maxPages", async (page) => {
    const service = await startService();
    const { domains } = clientOf(service.url);

    expect(await failureOf(domains.list({ page }))).toMatchObject({ kind: "validation" });
    expect(() => domains.iterate({ maxPages: page })).toThrow("maxPages is not a whole number");
    expect(service.requests).toEqual([]);
  });

  test("is one page where the service sends it without pages, of this account or of an empty one", async () => {
    for (const data of [[wire.domain()], []]) {
      const service = await startService([answer(200, { data })]);
      const found = await all(clientOf(service.url).domains.iterate());
      expect(found).toHaveLength(data.length);
      expect(service.requests).toHaveLength(1);
    }
  });

  test("is asked for again after a status that may pass, and after a lost answer", async () => {
    for (const fault of [{ status: 503 }, { status: 429 }, { reset: "after" }] as const) {
      const emulator = await emulatorOf({ domains: named("a.example") });
      emulator.fault({ operation: "listDomains", times: 2, ...fault });
      expect((await clientOf(emulator.url).domains.list()).data).toMatchObject(named("a.example"));
      expect(emulator.requests).toHaveLength(3);
    }
  });
});

describe("a service without the list", () => {
  const html = { "content-type": "text/html" };
  const id = "give the domain's id, a UUID: ";
  const none = "the service has no list of domains here, and the interface does not show one";

  test.each<[name: string, step: Step, said: string]>([
    ["403", answer(403, {}), `answered 403, the API token may not list domains: use a token with`],
    ["404", answer(404, {}), `answered 404, ${none}: check the base address, or ${id}`],
    ["405", answer(405, {}), `answered 405, ${none}: ${id}`],
    ["a redirect", answer(302, "", { location: "/login" }), `answered 302, a redirect, as to a login page: `],
    ["an error page", answer(404, "<html>", html), `answered 404, ${none}: `],
    ["a login page", answer(200, "<html>", html), `answered 200 with an HTML page instead of JSON: ${none}`],
    ["JSON of something else", answer(200, { user: 1 }), `: ${none}: check the base address, or ${id}`],
  ])("says in one line that it lacks it and what to give instead: %s", async (_name, step, said) => {
    const service = await startService([step]);

    const { message } = await failureOf(clientOf(service.url).domains.list());

    expect(message).toContain("GET /api/domains: answered");
    expect(message).toContain(said);
    expect(message).toContain(id);
    expect(message).not.toContain("\n");
    expect(service.requests).toHaveLength(1);
  });

  test("is what has only the interface: 404", async () => {
    const emulator = await emulatorOf({ lifecycle: "create-only" });

    expect(await failureOf(clientOf(emulator.url).domains.list())).toMatchObject({
      kind: "http",
      operation: "domains.list",
      status: 404,
    });
  });

  test("is not what refuses a token, or has other fields than are known", async () => {
    const known = wire.page([wire.domain({ label: 5 })]);
    for (const step of [answer(401, {}), answer(500, {}), answer(200, known)]) {
      const service = await startService([step]);
      const { message } = await failureOf(clientOf(service.url, { maxRetries: 0 }).domains.list());
      expect(message).not.toContain("list of domains");
    }
  });
});

describe("iterating over domains that come and go", () => {
  test("gives each one that stays exactly once, and no other twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 10 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom("newest-first", "oldest-first"),
        fc.array(fc.boolean(), { maxLength: 6 }),
        async (count, perPage, listOrder, additions) => {
          const stay = Array.from({ length: count }, (_, index) => `stays-${index}.example`);
          const domains = named(...stay.flatMap((each, index) => [each, `goes-${index}.example`]));
          const emulator = await emulatorOf({ domains, managed: { perPage }, listOrder });
          const seen: string[] = [];
          const ids = new Set<string>();
          for await (const { id, domain } of clientOf(emulator.url).domains.iterate()) {
            seen.push(domain);
            ids.add(id);
            const add = additions.pop();
            const goes = emulator.domains().find((each) => each.domain.startsWith("goes"));
            if (add) emulator.addDomain({ domain: "added.example" });
            else if (add === false && goes) emulator.removeDomain(goes.id);
          }
          await closeAll();
          expect(ids.size).toBe(seen.length);
          expect(seen.filter((domain) => domain.startsWith("stays")).sort()).toEqual(stay.sort());
        },
      ),
      { numRuns: 25 },
    );
  });

  test("ends with an error where there are more pages than allowed, and where the service refuses", async () => {
    const emulator = await emulatorOf({ domains: named("a.example", "b.example"), managed: { perPage: 1 } });
    const { domains } = clientOf(emulator.url);
    const count = async (maxPages?: number) => (await all(domains.iterate({ maxPages }))).length;

    expect(await count()).toBe(2);
    expect(await failureOf(count(1))).toMatchObject({
      kind: "response",
      operation: "domains.list",
      message: expect.stringContaining("domains.list: the list has more than 1 pages"),
    });
    emulator.fault({ status: 403 });
    expect(await failureOf(count())).toMatchObject({ kind: "http", status: 403 });
  });

  test("ends with the caller's signal", async () => {
    const emulator = await emulatorOf({ domains: named("a.example") });
    const call = { signal: AbortSignal.abort() };

    const walk = all(clientOf(emulator.url).domains.iterate({}, call));

    expect(await failureOf(walk)).toMatchObject({ kind: "aborted" });
    expect(emulator.requests).toEqual([]);
  });
});
