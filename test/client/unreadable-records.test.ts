/** Records of a list that cannot be read: each costs only itself, and is named. */
import type { UnreadableRecord } from "../../src/client";
import { fc } from "../support/properties";
import { isolateTests } from "./support/cleanup";
import { clientOf, DESTINATION, failureOf, renderings, TOKEN } from "./support/client";
import { answer, pagesOf, startService } from "./support/service";
import { startClient } from "./support/start";
import * as wire from "./support/wire";

isolateTests();

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const domain = (number: number) => wire.domain({ id: idOf(number) });
const broken = (make: (number: number) => unknown, hasId = true) => ({ make, hasId });

/** Records that a service may have in place of a domain, and whether an error names their ids. */
const BROKEN = [
  broken((number) => ({ ...domain(number), components: {} })),
  broken((number) => ({ ...domain(number), label: ["Shop"] })),
  broken((number) => ({ id: idOf(number) })),
  broken((number) => ({ ...domain(number), id: number }), false),
  broken((number) => ({ ...domain(number), id: "<script>", label: null }), false),
  broken(() => ({}), false),
  broken(() => null, false),
  broken(() => [], false),
  broken((number) => `domain ${number}`, false),
];

/** The records of an iteration, and the error at its end. */
async function drain<T extends { id: string }>(records: AsyncIterable<T>) {
  const ids: string[] = [];
  try {
    for await (const { id } of records) ids.push(id);
    return { ids, unreadable: [] };
  } catch (thrown) {
    const error = await failureOf(Promise.reject(thrown));
    return { ids, error, unreadable: error.unreadable ?? [] };
  }
}

test("each readable record of a list is returned once and in order, and each other one is named", async () => {
  const list = { records: [] as unknown[], perPage: 1 };
  const service = await startService([pagesOf(list)]);
  // `undefined` is a record that can be read.
  const kind = fc.option(fc.constantFrom(...BROKEN), { nil: undefined, freq: 3 });
  const scenario = fc.record({
    kinds: fc.array(kind, { maxLength: 12 }),
    perPage: fc.integer({ min: 1, max: 5 }),
    concurrency: fc.integer({ min: 1, max: 8 }),
  });

  await fc.assert(
    fc.asyncProperty(scenario, async ({ kinds, perPage, concurrency }) => {
      list.perPage = perPage;
      list.records = kinds.map((kind, number) => (kind ? kind.make(number) : domain(number)));
      const requests = service.requests.length;
      const { domains } = clientOf(service.url, { concurrency });
      const { ids, error, unreadable } = await drain(domains.iterate());
      const named = kinds.flatMap((kind, number) =>
        kind ? [{ id: kind.hasId ? idOf(number) : null, position: number + 1 }] : [],
      );

      expect(ids).toEqual(kinds.flatMap((kind, number) => (kind ? [] : idOf(number))));
      expect(unreadable.map(({ id, position }) => ({ id, position }))).toEqual(named);
      expect(error?.kind).toBe(named.length > 0 ? "response" : undefined);
      expect(service.requests.length - requests).toBe(
        Math.max(1, Math.ceil(kinds.length / perPage)),
      );
    }),
    { numRuns: 25 },
  );
});

const SHOP = idOf(1);
const BLOG = idOf(2);
const problem = "components: expected an object";
const WRONG = wire.domain({ id: BLOG, domain: "blog.example", components: null });
const UNREADABLE: UnreadableRecord = { id: BLOG, domain: "blog.example", position: 2, problem };

test("the error at the end says which records are unreadable and what to do", async () => {
  const { client } = await startClient([answer(200, wire.page([domain(1), WRONG, null]))]);
  const { ids, error } = await drain(client.domains.iterate());

  expect(ids).toEqual([SHOP]);
  expect(error).toMatchObject({
    kind: "response",
    operation: "domains.list",
    message:
      `domains.list: 2 records cannot be read (${BLOG}, components: expected an object; number 3, expected an object): ` +
      "the service may have changed: update this package, or report it",
    unreadable: [UNREADABLE, { id: null, position: 3 }],
  });
  expect(JSON.parse(JSON.stringify(error)).unreadable).toHaveLength(2);
});

test.each([
  ["a page", wire.page([domain(1), WRONG])],
  ["a list without pages", { data: [domain(1), WRONG] }],
])("%s has the readable records, and beside them the others", async (_name, list) => {
  const { client } = await startClient([answer(200, list)]);
  const { data, unreadable, meta } = await client.domains.list();

  expect(data.map(({ id }) => id)).toEqual([SHOP]);
  expect(unreadable).toEqual([UNREADABLE]);
  expect(meta.total).toBe(2);
});

test("no value of such a record is shown but its id and the name of a domain, without a secret", async () => {
  const secret = "s3cr3t-destination";
  const channel = wire.channel({ label: secret, is_disabled: secret });
  const records = [
    channel,
    { id: `https://${secret}`, label: secret },
    { id: TOKEN, domain: DESTINATION },
    { id: BLOG, domain: DESTINATION },
  ];
  const { client } = await startClient([answer(200, wire.page(records))]);
  const { notificationChannels: channels } = client;
  const call = { secrets: [DESTINATION] };
  const { error, unreadable } = await drain(channels.iterate(wire.DOMAIN_ID, {}, call));

  expect(unreadable.map(({ id }) => id)).toEqual([channel.id, null, null, BLOG]);
  expect(unreadable.filter((record) => record.domain !== undefined)).toEqual([]);
  expect(renderings(error)).not.toContain(TOKEN);
  expect(renderings(error)).not.toContain("s3cr3t");
});

test("a page with more than a thousand of them is no list of such records", async () => {
  const { client } = await startClient([answer(200, { data: Array(1001).fill(0) })]);
  const { kind, message } = await failureOf(client.domains.list());
  expect(kind).toBe("response");
  expect(message).toContain("(data: more than 1000 of its records cannot be read)");
});

test("hundreds of such records are counted, and the message stays short", async () => {
  const records = Array.from({ length: 306 }, (_, number) => ({ id: idOf(number) }));
  const { client } = await startClient([answer(200, wire.page(records))]);
  const { error, unreadable } = await drain(client.whoisChanges.iterate(wire.DOMAIN_ID));
  expect(unreadable).toHaveLength(306);
  expect(error?.message).toMatch(
    /: 306 records cannot be read \(.{300}…\): the service may have changed/,
  );
});
