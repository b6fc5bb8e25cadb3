/** A token from a function: asked for each call, bounded like the call, and never shown. */
import { inspect } from "node:util";
import type { ClientEvent } from "../../src/client";
import { isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, renderings } from "./support/client";
import { answer, gate, startService, succeed } from "./support/service";

isolateTests();

const TOKEN = "token-0-4f9c1d7e";

/** A function that returns another token each time. */
const numbered = () => {
  let calls = 0;
  return async () => `token-${calls++}-4f9c1d7e`;
};

test("the function is called once for each call, and not by the constructor", async () => {
  const service = await startService([answer(503, {}), succeed]);
  const apiToken = jest.fn(numbered());
  const client = clientOf(service.url, { apiToken });

  expect(apiToken).not.toHaveBeenCalled();

  await getDomain(client);
  await createChannel(client);

  // The first call was repeated, with its own token.
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${TOKEN}`,
    `Bearer ${TOKEN}`,
    "Bearer token-1-4f9c1d7e",
  ]);

  expect(apiToken).toHaveBeenCalledTimes(2);
});

const SECRET = "hvs.CAESIJ-vault-secret";
const failed = "the function apiToken failed: ";

const rejecting = (error: unknown) => () => Promise.reject(error);

const inEveryField = {
  name: SECRET,
  code: SECRET,
  cause: new Error(SECRET),
};

const withCode = { code: "ECONNREFUSED", cause: SECRET };

const throwing = () => {
  throw new TypeError(SECRET);
};

const failing: [string, () => Promise<string>, string][] = [
  ["rejects", rejecting(new Error(`denied for ${SECRET}`)), failed],
  ["throws", throwing, failed],
  [
    "rejects with a known code",
    rejecting(Object.assign(new Error(SECRET), withCode)),
    "the function apiToken failed (ECONNREFUSED): ",
  ],
  [
    "rejects with a secret in every field",
    rejecting(Object.assign(new Error(SECRET), inEveryField)),
    failed,
  ],
  ["rejects with a text", rejecting(SECRET), failed],
  ["returns nothing", async () => "", "the API token is empty: give"],
  ["returns a line", async () => `${SECRET}\n`, "the API token holds a space, a line break"],
  [
    "returns no text",
    async () => ({ token: SECRET }) as unknown as string,
    "the API token is empty: give",
  ],
];

test.each(failing)(
  "where the function %s, the call fails without its reason and the next one calls it again",
  async (_how, fail, expected) => {
    const service = await startService();
    let calls = 0;
    const client = clientOf(service.url, {
      apiToken: () => (calls++ === 0 ? fail() : numbered()()),
    });

    const error = await failureOf(createChannel(client));

    expect(error).toMatchObject({ kind: "configuration", attempts: 0 });
    expect(error.message).toContain(expected);
    expect(renderings(error)).not.toContain(SECRET);
    expect(service.requests).toHaveLength(0);

    await createChannel(client);

    expect(service.created).toBe(1);
  },
);

test("a function that does not return ends with its call, and the next call calls it again", async () => {
  const service = await startService();
  let waits = gate().opened;
  const client = clientOf(service.url, { apiToken: () => waits.then(numbered()) });
  const error = await failureOf(getDomain(client, { timeoutMs: 40 }));

  expect(error).toMatchObject({
    kind: "timeout",
    sent: "no",
    attempts: 0,
  });

  expect(error.message).toContain("the function apiToken returned no token within 0.04 s");

  const controller = new AbortController();
  const aborted = failureOf(getDomain(client, { signal: controller.signal }));
  controller.abort();

  expect(await aborted).toMatchObject({
    kind: "aborted",
    sent: "no",
    attempts: 0,
  });

  waits = Promise.resolve();
  await getDomain(client);

  expect(service.requests).toHaveLength(1);
});

test("neither errors nor events nor the client show a token of the function", async () => {
  const encoded = Buffer.from(TOKEN).toString("base64");
  const secrets = `${TOKEN} ${encoded}`;
  const service = await startService([
    answer(422, { message: secrets }, { "x-request-id": secrets }),
  ]);

  const events: ClientEvent[] = [];
  const client = clientOf(service.url, {
    apiToken: numbered(),
    onEvent: (event) => events.push(event),
  });

  const error = await failureOf(getDomain(client));
  const text =
    renderings(error) + JSON.stringify(events) + inspect(client, { depth: null, showHidden: true });

  expect(text).toContain("[redacted]");

  for (const form of [TOKEN, encoded]) expect(text).not.toContain(form);
});
