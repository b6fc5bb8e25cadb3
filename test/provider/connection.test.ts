/**
 * What the channels of a connection share: how often their list is read and what waits for it, and
 * messages about the service and about channels that are to be let go.
 */
import { notificationChannelProvider } from "../../src/provider/channel";
import { Connection } from "../../src/provider/connection";
import { type ChannelReading, channelListOf } from "../../src/provider/managed/channel-list";
import { DOMAIN, slackChannel } from "./support/channels";
import { always, fault, service, takeRequests, useService } from "./support/service";

const managed = { ...slackChannel, lifecycle: "managed" };
const any = { label: "any", type: "email" };
let connection: Connection;
let ids: string[];
let warnings: string[];

useService("NotificationChannel", { perPage: 5 });

const connect = () => new Connection({ baseUrl: service.url, apiToken: service.token });

beforeEach(() => {
  connection = connect();
  ids = Array.from({ length: 20 }, () => service.addChannel(DOMAIN));
  warnings = [];
});

const list = (): ChannelReading => channelListOf({ domainId: DOMAIN }, connection);
const provider = () => notificationChannelProvider((line) => warnings.push(line), connection);

/** Does the work for every channel, eight at a time, as the engine does on two cores. */
async function forEach<T>(work: (id: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let first = 0; first < ids.length; first += 8)
    results.push(...(await Promise.all(ids.slice(first, first + 8).map(work))));
  return results;
}

/** How often a page was asked for since the last call. */
const lists = () => takeRequests().filter((operation) => operation === "list").length;

/** A list of 10 channels has 2 pages. */
const ONE_READING = 2;

test("a refresh that misses half of the channels reads the list once", async () => {
  for (const id of ids.slice(10)) service.removeChannel(id);
  const read = await forEach((id) => provider().read(id, { ...managed, channelId: id }));
  expect(read.map(({ id }) => id)).toEqual([...ids.slice(0, 10), ...Array(10).fill("")]);
  expect(lists()).toBe(ONE_READING);
});

test("a destroy of channels of which half are gone reads the list once", async () => {
  for (const id of ids.slice(0, 10)) service.removeChannel(id);
  // The channels that are gone come first, so that the list is read before the others are deleted.
  await forEach((id) => provider().delete(id, managed));
  expect(service.channels()).toEqual([]);
  expect(warnings).toHaveLength(10);
  expect(lists()).toBe(ONE_READING);
});

test.each([
  ["deleted", () => provider().delete(ids[0] ?? "", managed)],
  ["created", () => provider().create(managed)],
])("no channel is %s while the list is being read, or it is read again", async (_, change) => {
  await list().latest();
  await Promise.all([list().alike(any), change()]);
  const [last, ...before] = takeRequests().reverse();

  expect(last).toMatch(/^(delete|create)$/);
  expect(new Set(before)).toEqual(new Set(["list"]));
});

test("a channel that an earlier list still has is looked for again", async () => {
  const [id = ""] = ids;
  expect(await list().has(id)).toBe(true);
  service.removeChannel(id);
  expect(await list().has(id)).toBe(false);
});

test("whether a list can be read is asked once, and again after a failure", async () => {
  fault("list", { status: 403 });
  await expect(list().latest()).rejects.toThrow("403");

  await Promise.all([list().latest(), list().latest()]);
  await list().latest();

  // Twenty channels.
  expect(lists()).toBe(1 + 2 * ONE_READING);
});

test("all that ask while a list is being read share the next reading, for which others wait", async () => {
  const ask = () => list().alike(any);
  await ask();
  const oneReading = lists();
  const first = ask();
  // Until the first one is under way.
  await new Promise(setImmediate);
  const others = Promise.all([ask(), ask(), ask()]);
  await first;
  await list().settled();

  expect(lists()).toBe(2 * oneReading);

  await others;
});

test("says once that a rate limit makes calls wait", async () => {
  fault("list", { status: 429, headers: { "retry-after": "30" }, ...always });
  const explicit = { baseUrl: service.url, apiToken: service.token, timeoutSeconds: 20 };
  const { client } = new Connection(explicit, (line) => warnings.push(line));

  // The deadline is too short to wait, so the test is over at once.
  for (let call = 1; call <= 2; call++)
    await expect(client.notificationChannels.list(DOMAIN)).rejects.toThrow("It asks to wait 30 s");

  await client.close();
  expect(warnings).toEqual([
    expect.stringContaining("the service's rate limit is reached: waiting 30 s."),
  ]);
});

// test/common/text.test.ts has every form of a word.
test.each([
  ["x; curl elsewhere|sh", "'x; curl elsewhere|sh'"],
  ["half\nof it", "ID"],
])("writes an id as one word for a shell, whatever it is: %j", (id, word) => {
  expect(new Connection().abandonCommand(id)).toBe(
    `pulumi config set domain-monitoring:abandon ${word}`,
  );
});

test("names the ids to let go beside the listed ones, as many as a message may have, the last ones", () => {
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const connection = new Connection();
  connection.configure((key) => (key === "domain-monitoring:abandon" ? "channel-1" : undefined));
  const commands = Array.from({ length: 60 }, (_, number) =>
    connection.abandonCommand(idOf(number)),
  );

  expect(commands[1]?.endsWith(` channel-1,${idOf(0)},${idOf(1)}`)).toBe(true);
  expect(commands[59]?.split(",")).toHaveLength(35);
  expect(commands[59]).toContain(idOf(59));
});
