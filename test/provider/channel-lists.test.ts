/** How often a domain's list is read while many of its channels are gone, and what waits. */
import { notificationChannelProvider } from "../../src/provider/channel";
import { Connection } from "../../src/provider/connection";
import { type ChannelReading, channelListOf } from "../../src/provider/managed/channel-list";
import { DOMAIN, slackChannel } from "./support/channels";
import { fault, service, takeRequests, useService } from "./support/service";

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
async function forEach<T>(all: readonly string[], work: (id: string) => Promise<T>): Promise<T[]> {
  const left = all.map((id, index) => ({ id, index }));
  const results: T[] = [];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift())
      results[next.index] = await work(next.id);
  };

  await Promise.all(Array.from({ length: 8 }, worker));

  return results;
}

/** How often a page was asked for since the last call. */
function lists(): number {
  return takeRequests().filter((operation) => operation === "list").length;
}

/** A list of 10 channels has 2 pages. */
const ONE_READING = 2;

test("a refresh that misses half of the channels reads the list once", async () => {
  for (const id of ids.slice(10)) service.removeChannel(id);
  const read = await forEach(ids, (id) => provider().read(id, { ...managed, channelId: id }));
  expect(read.map(({ id }) => id)).toEqual([...ids.slice(0, 10), ...Array(10).fill("")]);
  expect(lists()).toBe(ONE_READING);
});

test("a destroy of channels of which half are gone reads the list once", async () => {
  for (const id of ids.slice(0, 10)) service.removeChannel(id);
  // The channels that are gone come first, so that the list is read before the others are deleted.
  await forEach(ids, (id) => provider().delete(id, managed));
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
