/** A clock that stands still and ids of a seed: the same calls give the same answers to the byte. */
import { fc } from "../../../test/support/properties";
import type { Emulator, EmulatorOptions } from "../src";
import { ask, at, channel, EXPIRING, emulatorForTest, HEALTHY, send, UUID } from "./support";

const CREATE = `POST ${at.channels}`;
const fixed = { now: "2026-01-31T08:30:00Z", seed: 7 };

/** Something that can be done to an emulator, and what is answered, headers included. */
type Call = (emulator: Emulator) => Promise<string>;

function done(act: (emulator: Emulator) => unknown): Call {
  return async (emulator) => String(act(emulator));
}

function request(requestLine: string, sent?: unknown): Call {
  return async (emulator) => {
    const answer = await send(emulator, requestLine, sent);
    const body = (await answer.text()).replaceAll(emulator.url, "");
    return `${answer.status} ${JSON.stringify([...answer.headers])} ${body}`;
  };
}

const calls: [name: string, call: Call][] = [
  ["domain", request(`GET ${at.domain}`)],
  ["WHOIS changes", request(`GET ${at.whois}`)],
  ["DNS changes", request(`GET ${at.domains}/2/changes/dns?per_page=2&page=1`)],
  ["create", request(CREATE, channel)],
  ["refused create", request(CREATE, {})],
  ["no domain", request(`GET ${at.domains}/nobody`)],
  ["add a domain", done((emulator) => emulator.addDomain({ dnsChanges: [{}] }))],
  ["add a change", done((emulator) => emulator.addChange(EXPIRING, "dns"))],
  ["fault", done((emulator) => emulator.fault({ status: 503, after: 1, times: 2 }))],
  ["advance", done((emulator) => emulator.advance({ hours: 30 }))],
  ["reset", done((emulator) => emulator.reset())],
];

async function play(emulator: Emulator, script: readonly number[]): Promise<string[]> {
  const answers = [];
  for (const index of script) {
    const [name, call] = calls[index] ?? [];
    answers.push(`${name}: ${await call?.(emulator)}`);
  }

  return [...answers, JSON.stringify(emulator.channels())];
}

describe("the same seed, clock and calls", () => {
  it("give the same responses to the byte, in another emulator and after a reset", async () => {
    const rateLimit = { requests: 9, perSeconds: 3600 };
    const options: EmulatorOptions = { ...fixed, listOrder: "oldest-first", rateLimit };
    const one = await emulatorForTest(options);
    const other = await emulatorForTest(options);
    const anyScript = fc.array(fc.nat({ max: calls.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(anyScript, async (script) => {
        one.reset();
        other.reset();
        const first = await play(one, script);
        expect(await play(other, script)).toEqual(first);

        one.reset();
        expect(await play(one, script)).toEqual(first);
      }),
      { numRuns: 25, examples: [[[0, 3, 6, 7, 9, 2, 3, 1]]] },
    );
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
