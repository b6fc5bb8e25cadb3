/** What the interface leaves open, each as an option. */
import { readCreatedChannel, readOneDomain } from "../../../src/client/wire";
import { closeEmulators, EXPIRING, emulatorForTest, get, HEALTHY, postChannel, said } from "./support";

afterEach(closeEmulators);

const channel = { label: "On call", type: "email", value: "on-call@example.com" };

describe("createStatus", () => {
  it("is that of the answer to a create", async () => {
    const emulator = await emulatorForTest({ createStatus: 207 });

    const answer = await postChannel(emulator, channel);

    expect(answer.status).toBe(207);
    expect(readCreatedChannel(await answer.json()).label).toBe("On call");
    expect(emulator.requests).toMatchObject([{ status: 207 }]);
  });
});

describe("a domain's number", () => {
  it.each(["whois", "dns"])(
    "names the domain in %s changes, and is an address of their list",
    async (kind) => {
      const emulator = await emulatorForTest({ domains: [{}, { id: EXPIRING }] });
      emulator.addChange(EXPIRING, kind === "whois" ? "whois" : "dns", { id: "added" });
      const list = async (id: string) => said(await get(emulator, `/api/domains/${id}/changes/${kind}`));
      const page = { status: 200, body: { data: [{ id: "added", domain_id: 2 }], meta: { total: 1 } } };

      expect(await list(EXPIRING)).toMatchObject(page);
      expect(await list("2")).toMatchObject(page);
      for (const other of ["9", "02"]) expect((await list(other)).status).toBe(404);
    },
  );

  it("is not an address of the domain itself, nor of its channels", async () => {
    const emulator = await emulatorForTest();

    expect((await get(emulator, "/api/domains/1")).status).toBe(404);
    expect((await postChannel(emulator, channel, "1")).status).toBe(404);
  });
});

describe("rateLimit", () => {
  const limited = { rateLimit: { requests: 2, perSeconds: 60 }, now: "2026-01-31 08:00:10" };
  const resetAt = Date.parse("2026-01-31T08:01:00Z") / 1000;
  const headersOf = ({ status, headers }: Response) => ({
    status,
    limit: headers.get("X-RateLimit-Limit"),
    remaining: headers.get("X-RateLimit-Remaining"),
    reset: headers.get("X-RateLimit-Reset"),
    retryAfter: headers.get("Retry-After"),
  });
  const common = { limit: "2", reset: String(resetAt), retryAfter: null };

  it("answers 429 to what is too much, and tells on every answer how much is left", async () => {
    const emulator = await emulatorForTest(limited);
    emulator.fault({ status: 500, operation: "listDnsChanges" });

    const answers = [
      await fetch(`${emulator.url}/api/domains/${HEALTHY}`),
      await get(emulator, `/api/domains/${HEALTHY}/changes/dns`),
      await get(emulator, `/api/domains/${HEALTHY}`),
      await postChannel(emulator, channel),
    ];

    expect(answers.map(headersOf)).toEqual([
      { ...common, status: 401, remaining: "1" },
      { ...common, status: 500, remaining: "0" },
      { ...common, status: 429, remaining: "0", retryAfter: "50" },
      { ...common, status: 429, remaining: "0", retryAfter: "50" },
    ]);
    expect(emulator.channels()).toEqual([]);
    expect(emulator.requests.map(({ operation, status }) => [operation, status])).toContainEqual([
      "createNotificationChannel",
      429,
    ]);
  });

  it("counts anew with the next window of the emulator's clock, and after a reset", async () => {
    const emulator = await emulatorForTest(limited);
    const status = async () => (await get(emulator, `/api/domains/${HEALTHY}`)).status;
    const take = async (count: number) => {
      const statuses = [];
      for (let index = 0; index < count; index += 1) statuses.push(await status());
      return statuses;
    };

    expect(await take(3)).toEqual([200, 200, 429]);
    emulator.advance({ seconds: 49 });
    expect(await take(1)).toEqual([429]);
    emulator.advance({ seconds: 1 });
    expect(await take(3)).toEqual([200, 200, 429]);
    emulator.reset();
    expect(await take(3)).toEqual([200, 200, 429]);
  });
});

describe("the seed of a domain's components", () => {
  it("is served field by field, unknown values and nulls included", async () => {
    const emulator = await emulatorForTest({
      domains: [
        {
          colour: null,
          whois: { isEnabled: false, checkInterval: "hourly", checkStatus: "SOMETHING_NEW" },
          dns: { enabledRecords: ["TLSA"], nextCheckAt: null, hasChangedRecently: true },
          ssl: { issuer: null, expiresAt: "2026-02-01 00:00:00", lastFoundInvalidAt: "not a date" },
        },
      ],
    });
    const [domain] = emulator.domains();

    const answer = await get(emulator, `/api/domains/${domain?.id}`);

    expect(readOneDomain(await answer.json())).toMatchObject({
      colour: null,
      components: {
        whois: {
          isEnabled: false,
          checkInterval: "hourly",
          checkStatus: "SOMETHING_NEW",
          latestCheckDetails: expect.any(String),
        },
        dns: { isEnabled: true, enabledRecords: ["TLSA"], nextCheckAt: null, hasChangedRecently: true },
        ssl: {
          isEnabled: true,
          issuer: null,
          organization: expect.any(String),
          expiresAt: "2026-02-01 00:00:00",
          lastFoundInvalidAt: "not a date",
        },
      },
    });
  });
});

describe("domains", () => {
  it.each([0, 2, 3, 20])("are the examples and others where %d are asked for", async (count) => {
    const { body } = await said(
      await get(await emulatorForTest({ domains: count, perPage: 100 }), "/api/domains"),
    );

    const names: string[] = body.data.map(({ domain }: { domain: string }) => domain);
    expect(new Set(names).size).toBe(count);
    expect(names.toReversed().slice(0, 3)).toEqual(
      ["example.com", "example.org", "example.net"].slice(0, count),
    );
  });
});

describe("options that are not valid", () => {
  it.each<[reason: string, options: Record<string, unknown>]>([
    ["`createStatus` must be one of 200, 201, ", { createStatus: 204 }],
    ["`port` must be a whole number from 0 to 65535", { port: 65_536 }],
    ["`listOrder` must be one of newest-first, oldest-first", { listOrder: "random" }],
    ["`seed` must be a whole number", { seed: 0.5 }],
    ["`now` must be a time such as", { now: "2026-02-30" }],
    ["`now` must be a time such as", { now: new Date(Number.NaN) }],
    ["`now` must be a time such as", { now: new Date(8.64e15) }],
    ["`rateLimit.requests` must be a whole number from 1", { rateLimit: { requests: 0, perSeconds: 1 } }],
    ["`rateLimit.perSeconds` must be a whole number from 1", { rateLimit: { requests: 1 } }],
    ["`domains` must be a whole number from 0 to 10000", { domains: -1 }],
    ["`domains` must be a whole number from 0 to 10000", { domains: Number.NaN }],
    ["`listDomains` must be true or false", { listDomains: 404 }],
    ["`perPage` must be a whole number from 1", { perPage: 0 }],
    ["`lifecycle` must be one of create-only, managed", { lifecycle: "full" }],
  ])("are refused: %s", async (reason, options) => {
    const refused = await emulatorForTest(options).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(RangeError);
    expect(String(refused)).toContain(reason);
  });
});
