/** The options for what the interface leaves open, but for domains, faults, clock and ids. */
import { ask, at, channel, emulatorForTest, send, statuses } from "./support";

it("createStatus is the status of the response to a create", async () => {
  const emulator = await emulatorForTest({ createStatus: 207 });
  const body = { data: { label: "On call" } };
  const created = await ask(emulator, `POST ${at.channels}`, channel);
  expect(created).toMatchObject({ status: 207, body });
  expect(emulator.requests).toMatchObject([{ status: 207 }]);
});

describe("rateLimit", () => {
  const limited = { rateLimit: { requests: 2, perSeconds: 60 }, now: "2026-01-31 08:00:10" };

  it("responds with 429 to what is too much, and every response has how much is left", async () => {
    const emulator = await emulatorForTest(limited);
    emulator.fault({ status: 500, operation: "listDnsChanges" });

    const answers = [
      await fetch(emulator.url + at.domain),
      await send(emulator, `GET ${at.dns}`),
      await send(emulator, `GET ${at.domain}`),
      await send(emulator, `POST ${at.channels}`, channel),
    ];

    const reset = String(Date.parse("2026-01-31T08:01:00Z") / 1000);
    const parts = ["Limit", "Remaining", "Reset"];
    const names = [...parts.map((part) => `X-RateLimit-${part}`), "Retry-After"];
    const shown = answers.map(({ status, headers }) => [
      status,
      ...names.map((name) => headers.get(name)),
    ]);

    expect(shown).toEqual([
      [401, "2", "1", reset, null],
      [500, "2", "0", reset, null],
      [429, "2", "0", reset, "50"],
      [429, "2", "0", reset, "50"],
    ]);
    expect(emulator.channels()).toEqual([]);
    const operation = "createNotificationChannel";
    expect(emulator.requests.at(-1)).toMatchObject({ operation, status: 429 });
  });

  it("counts anew with the next window of the emulator's clock, and after a reset", async () => {
    const emulator = await emulatorForTest(limited);
    const take = (count: number) => statuses(emulator, ...Array(count).fill(`GET ${at.domain}`));

    expect(await take(3)).toEqual([200, 200, 429]);

    emulator.advance({ seconds: 49 });
    expect(await take(1)).toEqual([429]);

    emulator.advance({ seconds: 1 });
    expect(await take(3)).toEqual([200, 200, 429]);

    emulator.reset();
    expect(await take(3)).toEqual([200, 200, 429]);
  });
});

describe("accounts", () => {
  const token = "other-account";
  const theirs = { id: "theirs", domain: "theirs.example" };

  it("each see their own domains at the same address, and reset together", async () => {
    const accounts = { [token]: [theirs] };
    const emulator = await emulatorForTest({ accounts, lifecycle: "managed" });
    const other = { ...emulator, token };
    const reads = [`GET ${at.domain}`, "GET /api/domains/theirs"];

    expect((await ask(other, `GET ${at.domains}`)).body.data).toMatchObject([theirs]);
    expect(await statuses(other, ...reads)).toEqual([404, 200]);
    expect(await statuses(emulator, ...reads)).toEqual([200, 404]);

    await ask(other, "PATCH /api/domains/theirs", { label: "Changed" });
    expect(emulator.account(token).domains()).toMatchObject([{ label: "Changed" }]);
    expect(emulator.account(emulator.token).domains()).toEqual(emulator.domains());

    emulator.reset();
    expect(emulator.account(token).domains()).toMatchObject([{ ...theirs, label: theirs.domain }]);
    expect(() => emulator.account("a third one")).toThrow("no account with this token");
  });

  it("share faults, the log of requests and the limit", async () => {
    const emulator = await emulatorForTest({
      accounts: { [token]: [theirs] },
      rateLimit: { requests: 2, perSeconds: 60 },
      now: "2026-01-31",
    });
    const other = { ...emulator, token };
    emulator.fault({ status: 500 });
    expect(await statuses(other, "GET /api/domains/theirs")).toEqual([500]);
    expect(await statuses(emulator, `GET ${at.domain}`, `GET ${at.domain}`)).toEqual([200, 429]);
    expect(emulator.requests).toMatchObject([{ status: 500 }, { status: 200 }, { status: 429 }]);
  });
});

it.each<[reason: string, options: Record<string, unknown>]>([
  ["`createStatus` must be one of 200, 201, ", { createStatus: 204 }],
  ["`port` must be a whole number from 0 to 65535", { port: 65_536 }],
  ["`listOrder` must be one of newest-first, oldest-first", { listOrder: "random" }],
  ["`seed` must be a whole number", { seed: 0.5 }],
  ["`now` must be a time such as", { now: "2026-02-30" }],
  ["`now` must be a time such as", { now: new Date(8.64e15) }],
  ["`rateLimit.requests` must be a whole", { rateLimit: { requests: 0, perSeconds: 1 } }],
  ["`domains` must be a whole number from 0 to 10000", { domains: -1 }],
  ["`listDomains` must be true or false", { listDomains: 404 }],
  ["`perPage` must be a whole number from 1", { perPage: 0 }],
  ["`lifecycle` must be one of create-only, managed", { lifecycle: "full" }],
])("options that are not valid are refused: %s", async (reason, options) => {
  const refused = await emulatorForTest(options).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RangeError);
  expect(String(refused)).toContain(reason);
});
