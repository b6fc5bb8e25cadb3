/**
 * `npm run bench -- plugin`: the processes of the provider plugin and of the dynamic provider. See
 * README.md.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { circumstances, publish, table } from "./lib/report.mjs";
import { median, ratios, rotated, spread } from "./lib/statistics.mjs";

const require = createRequire(import.meta.url);
const { version } = require("../package.json");
const NAME = "pulumi-resource-domain-monitoring";
const built = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** What the engine starts for each form. */
const COMMANDS = {
  plugin: [built(`dist-plugin/${NAME}`)],
  dynamic: [
    process.execPath,
    require.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
    "127.0.0.1:1",
  ],
  /** With Node inside. */
  standalone: [built(`dist-standalone/${NAME}`)],
};
const FORMS = Object.keys(COMMANDS);

const { values } = parseArgs({ options: { starts: { type: "string", default: "9" } } });

const runs = Object.fromEntries(FORMS.map((form) => [form, []]));
for (let round = 0; round < Number(values.starts); round++)
  for (const form of rotated(FORMS, round)) runs[form].push(await start(COMMANDS[form]));

const megabytes = (file) => (statSync(file).size / 1e6).toFixed(1);
const download = (suffix) => megabytes(built(`dist-release/${NAME}-v${version}-${suffix}.tar.gz`));
publish(
  "plugin",
  [
    circumstances("npm run bench -- plugin"),
    `Median of ${values.starts} interleaved starts (minimum to maximum).`,
    "",
    table(
      ["", "plugin", "dynamic", "plugin / dynamic", "plugin with Node inside"],
      [
        measured("start until the port is printed, ms", "milliseconds"),
        measured("resident memory then, MiB", "mebibytes"),
        ["size, MB", megabytes(COMMANDS.plugin[0]), "", "", megabytes(COMMANDS.standalone[0])],
        ["size of the download, MB", download("script"), "", "", download("linux-amd64")],
      ],
    ),
  ].join("\n"),
);

function measured(title, measure) {
  const [plugin, dynamic, standalone] = FORMS.map((form) => runs[form].map((run) => run[measure]));
  const middle = (list) => median(list).toFixed(0);
  return [
    title,
    middle(plugin),
    middle(dynamic),
    spread(ratios(plugin, dynamic), 2),
    middle(standalone),
  ];
}

/** Starts a process as the engine does, and ends it when it has said its port. */
async function start([command, ...args]) {
  const begun = performance.now();
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const gone = once(child, "exit");
  try {
    await once(child.stdout, "data");
    const milliseconds = performance.now() - begun;
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return { milliseconds, mebibytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024 };
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}
