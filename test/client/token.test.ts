/** A token from a function: asked as seldom as possible, renewed after a 401, bounded like the call, and never shown. */
import { inspect } from "node:util";
import fc from "fast-check";
import type { ClientEvent } from "../../src/client";
import { closeAll, isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, renderings } from "./support/client";
import { answer, gate, type Service, type Step, startService, succeed } from "./support/service";

isolateTests();

/** A service that accepts one token at a time, and the vault that holds it. */
class Rotation {
  token = "token-0-4f9c1d7e";
  asked = 0;
  created = 0;
  rotations = 0;
  service!: Service;
  /** What an accepted request is answered, in order; the last one is repeated. */
  answers: Step[] = [succeed];
  /** Called with the number of each request before it is judged. */
  onRequest: (count: number) => void = () => undefined;
  /** What the vault waits for before it answers. */
  delay: () => Promise<void> = async () => undefined;
  /** The function that the client is given. */
  readonly vault = async () => {
    this.asked++;
    const { token } = this;
    await this.delay();
    return token;
  };

  static async start(): Promise<Rotation> {
    const rotation = new Rotation();
    rotation.service = await startService([{ refuses: true, run: (exchange) => rotation.#judge(exchange) }]);
    return rotation;
  }

  rotate(): void {
    this.token = `token-${++this.rotations}-2b8a6035`;
  }

  #judge(exchange: Parameters<Step["run"]>[0]): void {
    this.onRequest(this.service.requests.length);
    const { method, headers } = exchange.seen;
    if (headers.authorization !== `Bearer ${this.token}`) {
      exchange.answer(401, { message: "Unauthenticated." });
      return;
    }
    if (method === "POST") this.created++;
    const step = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    (step ?? succeed).run(exchange);
  }
}

function clientOfVault(rotation: Rotation, options: Parameters<typeof clientOf>[1] = {}) {
  return clientOf(rotation.service.url, { apiToken: rotation.vault, ...options });
}

const calls: [string, typeof getDomain, number][] = [
  ["read", getDomain, 0],
  ["create", createChannel, 1],
];

test("the function is called by the first request, not by the constructor, and once for concurrent requests", async () => {
  const rotation = await Rotation.start();
  const client = clientOfVault(rotation);
  expect(rotation.asked).toBe(0);
  await Promise.all(Array.from({ length: 10 }, () => getDomain(client)));
  await getDomain(client);
  expect(rotation.asked).toBe(1);
  expect(rotation.service.requests).toHaveLength(11);
});

describe.each(calls)("a %s with a 401 response", (_kind, call, creates) => {
  test("is sent again once with the new token, regardless of maxRetries, and emits events", async () => {
    const rotation = await Rotation.start();
    const events: ClientEvent[] = [];
    const client = clientOfVault(rotation, { maxRetries: 0, onEvent: (event) => events.push(event) });
    await getDomain(client);
    rotation.rotate();
    events.length = 0;
    await call(client);
    expect(
      events.map((event) => [event.type, event.attempt, "status" in event ? event.status : null]),
    ).toEqual([
      ["request", 1, null],
      ["response", 1, 401],
      ["retry", 1, 401],
      ["request", 2, null],
      ["response", 2, creates ? 201 : 200],
    ]);
    expect([rotation.asked, rotation.created]).toEqual([2, creates]);
  });

  test("fails at once if the function returns the same token", async () => {
    const rotation = await Rotation.start();
    const client = clientOf(rotation.service.url, {
      apiToken: async () => `revoked-${++rotation.asked && "x"}`,
    });
    expect(await failureOf(call(client))).toMatchObject({ kind: "http", status: 401, attempts: 1 });
    expect(rotation.service.requests).toHaveLength(1);
    expect(rotation.asked).toBe(2);
  });

  test("fails if the new token is rejected too, after calling the function only once more", async () => {
    const rotation = await Rotation.start();
    const client = clientOf(rotation.service.url, { apiToken: async () => `wrong-${++rotation.asked}` });
    expect(await failureOf(call(client))).toMatchObject({
      kind: "http",
      status: 401,
      attempts: 2,
      sent: "yes",
    });
    expect(rotation.service.requests).toHaveLength(2);
    expect([rotation.asked, rotation.created]).toEqual([2, 0]);
  });

  test("fails with the function's error, and reports that a request was sent", async () => {
    const rotation = await Rotation.start();
    const client = clientOfVault(rotation);
    await getDomain(client);
    rotation.rotate();
    rotation.delay = () => Promise.reject(new Error("the vault is sealed"));
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ kind: "configuration", attempts: 1, sent: "no" });
    expect(error.message).toMatch(/: the function apiToken failed: catch its error there to see why$/);
  });
});

test("a call with a constant token is not sent again after a 401", async () => {
  const rotation = await Rotation.start();
  const client = clientOf(rotation.service.url);
  expect(await failureOf(getDomain(client))).toMatchObject({ kind: "http", status: 401, attempts: 1 });
});

test("a new token does not count as a retry", async () => {
  const rotation = await Rotation.start();
  rotation.answers = [succeed, answer(503, {})];
  const client = clientOfVault(rotation, { maxRetries: 2 });
  await getDomain(client);
  rotation.rotate();
  // One refused, one with the new token, and two retries.
  expect(await failureOf(getDomain(client))).toMatchObject({ status: 503, attempts: 4 });
});

test("a call that begins while the token is renewed waits for the new one", async () => {
  const rotation = await Rotation.start();
  const client = clientOfVault(rotation);
  await getDomain(client);
  rotation.rotate();
  const { opened, open } = gate();
  const { opened: asked, open: isAsked } = gate();
  rotation.delay = () => {
    isAsked();
    return opened;
  };
  const first = getDomain(client);
  await asked;
  const second = createChannel(client);
  open();
  await Promise.all([first, second]);
  const sent = rotation.service.requests.map(({ headers }) => headers.authorization);
  expect(sent.filter((token) => token === "Bearer token-0-4f9c1d7e")).toHaveLength(2);
  expect(sent).toHaveLength(4);
  expect(rotation.asked).toBe(2);
});

const SECRET = "hvs.CAESIJ-vault-secret";
const failing: [string, () => Promise<string>, string][] = [
  ["rejects", () => Promise.reject(new Error(`denied for ${SECRET}`)), "the function apiToken failed: "],
  [
    "throws",
    () => {
      throw new TypeError(SECRET);
    },
    "the function apiToken failed: ",
  ],
  [
    "rejects with a known code",
    () => Promise.reject(Object.assign(new Error(SECRET, { cause: SECRET }), { code: "ECONNREFUSED" })),
    "the function apiToken failed (ECONNREFUSED): ",
  ],
  [
    "rejects with a secret in every field",
    () =>
      Promise.reject(
        Object.assign(new Error(SECRET), { name: SECRET, code: SECRET, cause: new Error(SECRET) }),
      ),
    "the function apiToken failed: ",
  ],
  ["rejects with a text", () => Promise.reject(SECRET), "the function apiToken failed: "],
  ["returns nothing", async () => "", "the API token is empty: give"],
  ["returns a line", async () => `${SECRET}\n`, "the API token holds a space, a line break"],
  ["returns no text", async () => ({ token: SECRET }) as unknown as string, "the API token is empty: give"],
];

test.each(failing)(
  "where the function %s, the call fails without showing why, and the next one asks again",
  async (_how, fail, told) => {
    const rotation = await Rotation.start();
    let asked = 0;
    const client = clientOfVault(rotation, { apiToken: () => (asked++ === 0 ? fail() : rotation.vault()) });
    const error = await failureOf(createChannel(client));
    expect(error).toMatchObject({
      kind: "configuration",
      operation: "notificationChannels.create",
      attempts: 0,
    });
    expect(error.message).toContain(told);
    expect(renderings(error)).not.toContain(SECRET);
    expect(rotation.service.requests).toHaveLength(0);
    await createChannel(client);
    expect(rotation.created).toBe(1);
  },
);

describe("a function that does not return", () => {
  test("is awaited until the call's deadline, and called again by the next call", async () => {
    const rotation = await Rotation.start();
    const { opened } = gate();
    rotation.delay = () => opened;
    const client = clientOfVault(rotation);
    const error = await failureOf(getDomain(client, { timeoutMs: 40 }));
    expect(error).toMatchObject({ kind: "timeout", sent: "no", attempts: 0 });
    expect(error.message).toContain("the function apiToken returned no token within 0.04 s");
    rotation.delay = async () => undefined;
    await getDomain(client);
    expect(rotation.asked).toBe(2);
  });

  test("does not replace a newer token when it returns late", async () => {
    const rotation = await Rotation.start();
    const { opened, open } = gate();
    rotation.delay = () => opened;
    const client = clientOfVault(rotation);
    const patient = getDomain(client);
    await failureOf(getDomain(client, { timeoutMs: 40 }));
    rotation.rotate();
    rotation.delay = async () => undefined;
    await getDomain(client);
    open();
    await patient;
    await getDomain(client);
    expect(rotation.asked).toBe(2);
    // The patient call alone sent the old token.
    expect(rotation.service.requests).toHaveLength(4);
  });

  test("does not block a call that is aborted, and still returns its token to the others", async () => {
    const rotation = await Rotation.start();
    const { opened, open } = gate();
    rotation.delay = () => opened;
    const client = clientOfVault(rotation);
    const controller = new AbortController();
    const ended = failureOf(getDomain(client, { signal: controller.signal }));
    const other = getDomain(client);
    controller.abort();
    expect(await ended).toMatchObject({ kind: "aborted", sent: "no", attempts: 0 });
    open();
    await expect(other).resolves.toMatchObject({ domain: "shop.example" });
    expect(rotation.asked).toBe(1);
  });
});

describe("no rendering contains a token of the function", () => {
  test("neither an earlier one nor the one in use, in errors and in events", async () => {
    const rotation = await Rotation.start();
    const [before, after] = ["token-0-4f9c1d7e", "token-1-2b8a6035"];
    const echo = `${before} ${after} ${Buffer.from(after).toString("base64")}`;
    rotation.answers = [succeed, answer(422, { message: echo }, { "x-request-id": echo })];
    const events: ClientEvent[] = [];
    const client = clientOfVault(rotation, { onEvent: (event) => events.push(event) });
    await getDomain(client);
    rotation.rotate();
    const error = await failureOf(getDomain(client));
    expect(error).toMatchObject({ status: 422, attempts: 2 });
    const text =
      renderings(error) + JSON.stringify(events) + inspect(client, { depth: null, showHidden: true });
    expect(text).toContain("[redacted]");
    for (const form of [before, after, Buffer.from(after).toString("base64")])
      expect(text).not.toContain(form);
  });

  test("nor one that this call sent, even after many newer ones", async () => {
    const rotation = await Rotation.start();
    const { opened, open } = gate();
    const first = rotation.token;
    rotation.answers = [
      { run: (exchange) => void opened.then(() => exchange.answer(422, { message: first })) },
      succeed,
    ];
    const client = clientOfVault(rotation);
    const held = failureOf(getDomain(client));
    await rotation.service.arrived(1);
    for (let count = 0; count < 12; count++) {
      rotation.rotate();
      await getDomain(client);
    }
    open();
    expect(renderings(await held)).not.toContain(first);
  });
});

test("whenever the token is rotated, the function is called once, and no call fails", async () => {
  const wave = fc.record({
    creates: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    /** Which request of the wave is the first to meet the new token; beyond the last one there is no rotation. */
    rotatesAt: fc.nat(14),
    vaultTurns: fc.nat(4),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(wave, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 8 }),
      async (waves, concurrency) => {
        const rotation = await Rotation.start();
        const client = clientOfVault(rotation, { concurrency, maxRetries: 0 });
        let creates = 0;
        for (const { creates: kinds, rotatesAt, vaultTurns } of waves) {
          const before = rotation.service.requests.length;
          rotation.onRequest = (count) => {
            if (count - before - 1 === rotatesAt) rotation.rotate();
          };
          rotation.delay = async () => {
            for (let turn = 0; turn < vaultTurns; turn++) await new Promise(setImmediate);
          };
          await Promise.all(kinds.map((isCreate) => (isCreate ? createChannel(client) : getDomain(client))));
          creates += kinds.filter(Boolean).length;
        }
        expect(rotation.created).toBe(creates);
        expect(rotation.asked).toBeLessThanOrEqual(1 + rotation.rotations);
        await closeAll();
      },
    ),
    { numRuns: 25 },
  );
});
