/** Loaded into every Node process of a preview (`NODE_OPTIONS`): the one that runs the program says how much memory it took. */
const { appendFileSync } = require("node:fs");

if (/[\\/]cmd[\\/]run\b/.test(process.argv[1] ?? ""))
  process.on("exit", () => appendFileSync(process.env.BENCH_PEAKS, `${process.resourceUsage().maxRSS}\n`));
