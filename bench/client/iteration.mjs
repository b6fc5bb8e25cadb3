/**
 * 10,000 records from a service that takes 20 ms for each response: ours, which reads ahead, and
 * the plain loop.
 */
import { ratios, rotated, spread } from "../lib/statistics.mjs";
import { IN_FLIGHT, ourClient, rawClient } from "./contenders.mjs";

const RECORDS = 10_000;
const PER_PAGE = 100;
const LATENCY_MS = 20;

/**
 * The first page gives the number of pages; the others then come in batches of the requests in
 * flight.
 */
const BOUND_MS = (Math.ceil((RECORDS / PER_PAGE - 1) / IN_FLIGHT) + 1) * LATENCY_MS;

export async function measureIteration(url, rounds) {
  const slow = `${url}/slow`;
  const ours = ourClient(slow);
  const raw = rawClient(slow);
  const times = { ours: [], sequential: [] };
  const walks = [
    ["ours", () => readAhead(ours)],
    ["sequential", () => readInSequence(raw)],
  ];
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [name, walk] of rotated(walks, round)) {
        times[name].push(await timed(walk));
      }
    }
    return times;
  } finally {
    await Promise.all([ours.close(), raw.close()]);
  }
}

async function readAhead(client) {
  let records = 0;
  for await (const _ of client.whoisChanges.iterate(String(RECORDS), { perPage: PER_PAGE }))
    records++;
  return records;
}

async function readInSequence(raw) {
  let records = 0;
  for (let page = 1, last = 1; page <= last; page++) {
    const body = await raw.get(
      `/api/domains/${RECORDS}/changes/whois?per_page=${PER_PAGE}&page=${page}`,
    );
    records += body.data.length;
    last = body.meta.last_page;
  }
  return records;
}

async function timed(walk) {
  const start = performance.now();
  const records = await walk();
  if (records !== RECORDS) throw new Error(`a walk over ${RECORDS} records saw ${records}`);
  return performance.now() - start;
}

export function iterationRows({ ours, sequential }) {
  const bound = ours.map(() => BOUND_MS);
  const row = (name, times) => [
    name,
    spread(times, 0),
    spread(ratios(sequential, times), 1),
    spread(ratios(times, bound), 2),
  ];
  return [row("plain loop with undici.request", sequential), row("ours, `iterate`", ours)].concat([
    [`bound: ${IN_FLIGHT} in flight, ${LATENCY_MS} ms each`, String(BOUND_MS), "", "1.00"],
  ]);
}
