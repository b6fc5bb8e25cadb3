/**
 * Measures the heap while 100,000 records are read. Run with --expose-gc, in a separate process.
 */
import { ourClient } from "./contenders.mjs";

const RECORDS = 100_000;
const EVERY = 10_000;

process.on("disconnect", () => process.exit());

const [, , url] = process.argv;
const client = ourClient(url);
const heap = [];
let seen = 0;
for await (const _ of client.whoisChanges.iterate(String(RECORDS), { perPage: 100 })) {
  seen++;
  if (seen % EVERY !== 0) continue;
  globalThis.gc();
  heap.push(process.memoryUsage().heapUsed);
}
if (seen !== RECORDS) throw new Error(`a walk over ${RECORDS} records saw ${seen}`);
await client.close();
process.send({ heap });
