/** The list of domains, which is undocumented, on the emulator and on a service that does what it is told. */
import type { EmulatorOptions } from "../../src/testing/emulator";
import { startEmulator } from "../../src/testing/emulator";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, failureOf, TOKEN } from "./support/client";
import { answer, type Step, startService } from "./support/service";
import * as wire from "./support/wire";

isolateTests();

async function emulatorOf(options: EmulatorOptions) {
  const emulator = await startEmulator({ lifecycle: "managed", token: TOKEN, now: "2026-01-31", ...options });
  closeLater(() => emulator.close());
  return emulator;
}

describe("the list of domains", () => {
  test("has each domain as a read of it by id", async () => {
    const emulator = await emulatorOf({ domains: [{ domain: "a.example" }, { checked: false }] });
    const { domains } = clientOf(emulator.url);

    const { data, meta } = await domains.list();

    expect(meta).toMatchObject({ total: 2, currentPage: 1, lastPage: 1 });
    expect(data).toEqual(await Promise.all(data.map(({ id }) => domains.get(id))));
  });
});

describe("a service without the list", () => {
  const html = { "content-type": "text/html" };
  const id = "give the domain's id, a UUID: ";
  const none = "the service has no list of domains here, which is undocumented";

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
    const emulator = await emulatorOf({ listDomains: false });

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
