/** `npm run bench -- client`: our client and others, on one loopback service. See README.md. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { iterationRows, measureIteration } from "./client/iteration.mjs";
import { measureThroughput, THROUGHPUT_HEADER, throughputRows } from "./client/throughput.mjs";
import { withChild } from "./lib/children.mjs";
import { circumstances, publish, table } from "./lib/report.mjs";

const MEBIBYTE = 2 ** 20;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "15" } },
});
const rounds = Number(values.rounds);
const local = (path) => fileURLToPath(new URL(path, import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);

await withChild(local("client/service.mjs"), {}, async ({ url }) => {
  say(
    `Single domains and pages of 100 changes, ${rounds} rounds: about ${Math.ceil(rounds * 6.5 + 20)} s`,
  );
  const throughput = await measureThroughput(url, rounds);
  say("10,000 records over 20 ms of latency");
  const iteration = await measureIteration(url, Math.min(rounds, 7));
  say("Memory over 100,000 records");
  const { heap } = await withChild(
    local("client/memory.mjs"),
    { args: [url], execArgv: ["--expose-gc"] },
    async (result) => result,
  );
  publish("client", report(throughput, iteration, heap));
});

function report(throughput, iteration, heap) {
  const sizes = heap.map((bytes) => bytes / MEBIBYTE);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return [
    circumstances(`npm run bench -- client${rounds === 15 ? "" : ` --rounds ${rounds}`}`),
    `Median of ${rounds} interleaved rounds (minimum to maximum).`,
    "",
    "Single domain objects, 10 in flight:",
    "",
    table(THROUGHPUT_HEADER, throughputRows(throughput.domain)),
    "",
    "Pages of 100 changes, 10 in flight:",
    "",
    table(THROUGHPUT_HEADER, throughputRows(throughput.page)),
    "",
    "10,000 change records in pages of 100, each answer 20 ms late:",
    "",
    table(["way", "ms", "times the plain loop", "times the bound"], iterationRows(iteration)),
    "",
    "Heap after garbage collection while iterating 100,000 records, every 10,000:",
    `${sizes.map((size) => size.toFixed(1)).join(", ")} MiB; largest minus smallest ${(most - least).toFixed(2)} MiB.`,
  ].join("\n");
}
