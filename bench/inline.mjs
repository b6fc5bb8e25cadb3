/** `npm run bench:inline`: an inline program of one channel on the offline engine and on the real one. See README.md. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import ours from "../dist/index.js";
import testing from "../dist/testing/index.js";
import realEngine from "../scripts/real-engine.cjs";
import { circumstances, publish, table } from "./lib/report.mjs";
import { median, ratios, spread } from "./lib/statistics.mjs";

const ROUNDS = 7;
const OPERATIONS = [
  ["`up`", "up"],
  ["`up` without changes", "up"],
  ["`destroy`", "destroy"],
];

const version = realEngine.engineVersion();
if (!version) throw new Error("there is no `pulumi` command on PATH to compare with");

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-bench-"));
const service = await testing.startEmulator();
const env = { DOMAIN_MONITORING_BASE_URL: service.url, DOMAIN_MONITORING_API_TOKEN: service.token };
// An inline program runs in this process, also on the real engine.
Object.assign(process.env, env);

async function program() {
  const domainId = "11111111-1111-4111-8111-111111111111";
  new ours.NotificationChannel("mail", { domainId, label: "Mail", type: "email", value: "desk@example.com" });
}

function realStack(round) {
  const workDir = path.join(directory, "work");
  mkdirSync(workDir, { recursive: true });
  return LocalWorkspace.createOrSelectStack(
    { stackName: `round-${round}`, projectName: "bench", program },
    {
      workDir,
      projectSettings: { name: "bench", runtime: "nodejs", main: root },
      envVars: { ...env, ...realEngine.engineEnvironment(directory) },
    },
  );
}

async function seconds(act) {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1000;
}

try {
  const times = OPERATIONS.map(() => ({ offline: [], real: [] }));
  // The first round loads modules that stay loaded, so it is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const stacks = { offline: await testing.TestStack.create({ program }), real: await realStack(round) };
    const turns = round % 2 === 0 ? ["offline", "real"] : ["real", "offline"];
    for (const [index, [, operation]] of OPERATIONS.entries()) {
      for (const engine of turns) {
        const taken = await seconds(() => stacks[engine][operation]());
        if (round > 0) times[index][engine].push(taken);
      }
    }
    await stacks.offline.close();
  }
  if (service.channels().length !== 2 * (ROUNDS + 1)) throw new Error("channels are missing, or too many");
  const rows = OPERATIONS.map(([title], index) => {
    const { offline, real } = times[index];
    return [title, median(offline).toFixed(2), median(real).toFixed(2), spread(ratios(offline, real), 2)];
  });
  publish(
    "inline programs",
    [
      circumstances("npm run bench:inline"),
      `Version ${version}; median of ${ROUNDS} interleaved rounds, in seconds.`,
      "",
      table(["", "offline engine", "real engine", "offline / real"], rows),
    ].join("\n"),
  );
} finally {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}
