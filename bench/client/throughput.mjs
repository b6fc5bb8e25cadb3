/** Responses per second with ten requests in flight; all clients take turns in one process. */
import { median, ratios, rotated, spread } from "../lib/statistics.mjs";
import { contenders, IN_FLIGHT, OURS, REFERENCE } from "./contenders.mjs";

const WARM_UP_MS = 1000;
const SLICE_MS = 300;
/**
 * Runs before each slice, to remove effects of the previous client, such as garbage and cold
 * caches.
 */
const SETTLING_MS = 50;

/** @returns {Promise<Record<"domain" | "page", object[]>>} */
export async function measureThroughput(url, rounds) {
  const clients = contenders(url);
  try {
    const results = {};
    for (const payload of ["domain", "page"]) {
      for (const client of clients) {
        await verify(client, payload);
        await slice(client[payload], WARM_UP_MS);
      }
      results[payload] = await interleaved(clients, payload, rounds);
    }
    return results;
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

/**
 * Checks the result, as a client that returns something else could be fast for the wrong reason.
 * Fields may be in either case.
 */
async function verify(client, payload) {
  const text = JSON.stringify(await client[payload]());
  const times =
    text.match(payload === "domain" ? /"has_?changed_?recently":/gi : /"created_?at":/gi) ?? [];
  if (times.length < (payload === "domain" ? 1 : 100))
    throw new Error(`${client.name} does not return the ${payload}`);
}

async function interleaved(clients, payload, rounds) {
  const measured = new Map(clients.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const client of rotated(clients, round)) {
      await slice(client[payload], SETTLING_MS);
      measured.get(client.name).push(await slice(client[payload], SLICE_MS));
    }
  }
  return clients.map(({ name }) => ({ name, slices: measured.get(name) }));
}

/** Runs one client for a slice of time. */
async function slice(call, milliseconds) {
  let answers = 0;
  const processor = process.cpuUsage();
  const start = performance.now();
  const worker = async () => {
    while (performance.now() - start < milliseconds) {
      await call();
      answers++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(processor);
  return { perSecond: answers / seconds, processorMicroseconds: (user + system) / answers };
}

export const THROUGHPUT_HEADER = [
  "client",
  "ratio to raw",
  "ours is … times as fast",
  "answers/s",
  "CPU µs per answer",
];

export function throughputRows(results) {
  const perSecond = (name) =>
    results.find((result) => result.name === name).slices.map((one) => one.perSecond);
  return results.map(({ name, slices }) => [
    name,
    spread(ratios(perSecond(name), perSecond(REFERENCE)), 2),
    spread(ratios(perSecond(OURS), perSecond(name)), 1),
    String(Math.round(median(perSecond(name)))),
    String(Math.round(median(slices.map((one) => one.processorMicroseconds)))),
  ]);
}
