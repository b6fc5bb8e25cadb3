/** The options for what the interface leaves open, but for domains and faults; and the clock. */
import type { Emulator, EmulatorOptions } from "../src";
import { at, channel, EXPIRING, HEALTHY, UUID } from "./examples";
import { ask, emulatorForTest, send, statuses } from "./support";

const CREATE = `POST ${at.channels}`;

it("createStatus is the status of the response to a create", async () => {
  const emulator = await emulatorForTest({ createStatus: 207 });
  const body = { data: { label: "On call" } };
  expect(await ask(emulator, CREATE, channel)).toMatchObject({ status: 207, body });
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
      await send(emulator, CREATE, channel),
    ];

    const reset = String(Date.parse("2026-01-31T08:01:00Z") / 1000);
    const limits = ["Limit", "Remaining", "Reset"].map((part) => `X-RateLimit-${part}`);
    const shownIn = (headers: Headers) =>
      [...limits, "Retry-After"].map((name) => headers.get(name));

    expect(answers.map(({ status, headers }) => [status, ...shownIn(headers)])).toEqual([
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

const fixed = { now: "2026-01-31T08:30:00Z", seed: 7 };

describe("the same seed, clock and calls", () => {
  /** All responses to some calls, headers included, and what the emulator has after them. */
  async function play(emulator: Emulator): Promise<string[]> {
    const played: string[] = [];
    const request = async (requestLine: string, sent?: unknown) => {
      const answer = await send(emulator, requestLine, sent);
      const body = (await answer.text()).replaceAll(emulator.url, "");
      played.push(`${answer.status} ${JSON.stringify([...answer.headers])} ${body}`);
    };

    await request(`GET ${at.domain}`);
    await request(CREATE, channel);
    await request(CREATE, {});
    emulator.addDomain({ dnsChanges: [{}] });
    emulator.addChange(EXPIRING, "dns");
    emulator.advance({ hours: 30 });
    await request(`GET ${at.whois}`);
    await request(`GET ${at.domains}/2/changes/dns?per_page=2&page=1`);
    emulator.fault({ status: 503 });
    await request(`GET ${at.domain}`);
    await request(`GET ${at.domains}/nobody`);
    await request(CREATE, channel);
    // Beyond the limit.
    await request(CREATE, channel);

    return [...played, JSON.stringify([emulator.domains(), emulator.channels()])];
  }

  it("give the same responses to the byte, in another emulator and after a reset", async () => {
    const rateLimit = { requests: 5, perSeconds: 3600 };
    const options: EmulatorOptions = { ...fixed, listOrder: "oldest-first", rateLimit };
    const emulator = await emulatorForTest(options);
    const first = await play(emulator);
    expect(await play(await emulatorForTest(options))).toEqual(first);

    emulator.reset();
    expect(await play(emulator)).toEqual(first);
  });

  it("give other ids than another seed, and than none", async () => {
    const idsOf = async (options: EmulatorOptions) => {
      const emulator = await emulatorForTest(options);
      const answer = await send(emulator, CREATE, channel);
      return [emulator.addDomain(), emulator.channels()[0]?.id, answer.headers.get("X-Request-Id")];
    };
    const options = [{ seed: 1 }, { seed: 2 }, {}, {}];
    const all = (await Promise.all(options.map(idsOf))).flat();
    expect(new Set(all).size).toBe(12);

    for (const id of all) expect(id).toMatch(UUID);
    expect(await idsOf({ seed: 1 })).toEqual(all.slice(0, 3));
  });

  it("give a channel the same id however many other requests there were", async () => {
    const quiet = await emulatorForTest(fixed);
    const busy = await emulatorForTest(fixed);
    for (let count = 0; count < 3; count += 1) await ask(busy, `GET ${at.domain}`);
    busy.addDomain();

    for (const emulator of [quiet, busy]) await ask(emulator, CREATE, channel);
    expect(busy.channels()[0]?.id).toBe(quiet.channels()[0]?.id);
  });
});

describe("a clock that stands still", () => {
  it("is the time of all records and responses, even after it is advanced", async () => {
    const emulator = await emulatorForTest(fixed);
    emulator.addChange(HEALTHY, "whois");
    const texts = async () => {
      const { body } = await ask(emulator, `GET ${at.whois}`);
      return body.data.map((change: Record<string, string>) => change.created_at_human);
    };

    const answer = await send(emulator, `GET ${at.domain}`);
    expect(answer.headers.get("Date")).toBe("Sat, 31 Jan 2026 08:30:00 GMT");
    const whois = { last_checked_at: "2026-01-31T08:30:00.000000Z", has_changed_recently: true };
    const dates = { created_at: "2025-11-02 08:30:00", updated_at: "2026-01-31 08:30:00" };
    const expected = { expires_at: "2027-01-31", ...dates, components: { whois } };
    expect(await answer.json()).toMatchObject(expected);
    expect(await texts()).toEqual(["0 seconds ago", "2 weeks ago", "3 weeks ago"]);

    emulator.advance({ days: 7, hours: 23, minutes: 59, seconds: 60 });
    expect(emulator.now().toISOString()).toBe("2026-02-08T08:30:00.000Z");

    const { body: domain } = await ask(emulator, `GET ${at.domain}`);
    expect(domain.components.whois.has_changed_recently).toBe(false);
    expect(await texts()).toEqual(["1 week ago", "4 weeks ago", "4 weeks ago"]);

    await ask(emulator, CREATE, channel);
    expect(emulator.channels()).toMatchObject([{ createdAt: "2026-02-08 08:30:00" }]);
  });

  it("takes a Date, a DATE and a SQL-TS as UTC", async () => {
    const times = [new Date("2026-01-31T00:00:00Z"), "2026-01-31", "2026-01-31 00:00:00"];
    const emulators = await Promise.all(times.map((now) => emulatorForTest({ now })));

    for (const emulator of emulators)
      expect(emulator.now().toISOString()).toBe("2026-01-31T00:00:00.000Z");
  });

  it("does not go backwards, or by no duration or one beyond all dates", async () => {
    const emulator = await emulatorForTest(fixed);
    for (const wrong of [{}, { days: Number.NaN }, { days: 1, hours: -25 }, { days: 4_000_000 }])
      expect(() => emulator.advance(wrong)).toThrow(RangeError);

    expect(emulator.now()).toEqual(new Date(fixed.now));
  });
});

it("the system's clock can be put forward as well, and is itself again after a reset", async () => {
  const emulator = await emulatorForTest();
  const before = Date.now();
  emulator.advance({ days: 400 });
  const ahead = emulator.now().getTime() - 400 * 86_400_000;
  expect(ahead).toBeGreaterThanOrEqual(before);
  expect(ahead).toBeLessThanOrEqual(Date.now());

  emulator.reset();
  expect(emulator.now().getTime()).toBeLessThanOrEqual(Date.now());
});
