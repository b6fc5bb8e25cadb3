/**
 * The offline engine against the real one. What the real engine does is recorded, so that the
 * comparison holds where there is no `pulumi` command; where there is one of a recorded version,
 * the recording itself is compared. `npm run release -- record-engine` writes it anew.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  createOffline,
  createReal,
  type EngineStack,
  realEngineAvailable,
  realEngineVersion,
} from "../../../../test/support/engines";
import { Projects } from "../../../../test/support/project";
import { isOffline, isQuick, isThorough } from "../../../../test/support/scope";
import {
  ProviderProcess,
  type StartedProvider,
  type StartProvider,
} from "../../src/processes/provider-process";
import { differences, known } from "./differences";
import { mockedPackage } from "./package";
import { servePlugin } from "./plugin";
import { readRecording, writeRecording } from "./recording";
import type { Scenario } from "./scenario";
import { creatingAndUpdating } from "./scenarios/creating-and-updating";
import { mockedPackages } from "./scenarios/mocked-packages";
import { narrowedUpdates } from "./scenarios/narrowed-updates";
import { projectsInFiles } from "./scenarios/projects-in-files";
import { replacingAndDeleting } from "./scenarios/replacing-and-deleting";
import { play } from "./transcript";

const isRecording = process.env.PARITY_RECORD === "1";
const pinned = readRecording("pinned");
const latest = readRecording("latest");

const scenarios = [
  ...creatingAndUpdating,
  ...replacingAndDeleting,
  ...projectsInFiles,
  ...mockedPackages,
  ...narrowedUpdates,
];

const names = scenarios.map(({ name }) => name);
const named = scenarios
  .filter(({ isUsual = false }) => isThorough || isUsual)
  .map((scenario) => [scenario.name, scenario] as const);

/** What was recorded of the engine that is here, or is now. */
const recorded =
  realEngineVersion === pinned.engine
    ? pinned.scenarios
    : { ...pinned.scenarios, ...latest.scenarios };

// What another version does otherwise could be the version's.
const versions = [pinned.engine, latest.engine];
const isRecorded = realEngineVersion !== undefined && versions.includes(realEngineVersion);
const onReal = isRecorded || (isRecording && realEngineAvailable) ? describe : describe.skip;
const onOffline = isOffline ? describe : describe.skip;

onReal(`what was recorded of ${versions.join(" and ")}, on the real engine`, () => {
  afterAll(() => {
    if (!isRecording || realEngineVersion === undefined) return;
    const inOrder = Object.fromEntries(names.map((name) => [name, recorded[name] ?? []]));
    writeRecording({ engine: realEngineVersion, scenarios: inOrder });
  });

  it.each(named)("%s", async (name, scenario) => {
    const { entries, order } = await run(scenario, createReal);
    if (isRecording) recorded[name] = entries;
    else expect(entries).toEqual(recorded[name]);

    expectOrder(order, scenario.order);
  });
});

onOffline("the offline engine does what was recorded of the real one", () => {
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  it.each(named)("%s", async (name, scenario) => {
    const expected = differences(name, pinned.scenarios[name] ?? []);
    // All that a process prints has been read only once it has ended.
    const isKept = isQuick && !JSON.stringify(expected).includes('"info: ');
    const create: typeof createReal = (options) =>
      createOffline(options, isKept ? startKept : undefined);

    const { entries, order } = await run(scenario, create);
    expect(entries).toEqual(expected);
    expectOrder(order, scenario.order);
  });
});

describe("the recordings", () => {
  const file = path.join(__dirname, "../../../../docs/contributing/what-was-run.md");
  const page = readFileSync(file, "utf8");
  const rowAbout = (scenario: string) => page.split("\n").find((line) => line.includes(scenario));

  it("have exactly the scenarios, and what a later engine does otherwise, which is documented", () => {
    // As they lie there now, if this run has recorded.
    const { engine, scenarios } = readRecording("pinned");
    expect(Object.keys(scenarios)).toEqual(names);
    expect(page).toContain(`(${engine})`);

    const later = readRecording("latest");
    for (const [name, entries] of Object.entries(later.scenarios)) {
      expect(names).toContain(name);
      expect(entries).not.toEqual(scenarios[name]);
      expect(rowAbout(name)).toContain(later.engine);
    }
  });

  it.each(known)("differ from the offline engine as documented: $scenario", (difference) => {
    expect(names).toContain(difference.scenario);
    expect(rowAbout(difference.scenario)).toContain(difference.reason);
  });
});

const kept = new Map<string, Promise<StartedProvider>>();
const stops: (() => Promise<void>)[] = [];

/**
 * Starts a provider process that outlives its operation: the next one with the same configuration
 * has no process to start, which takes most of its time.
 */
const startKept: StartProvider = async (options, config) => {
  const key = JSON.stringify([options.cwd, options.env, config]);
  const started = kept.get(key) ?? startLasting(options, config);
  kept.set(key, started);

  return started;
};

const startLasting: StartProvider = async (options, config) => {
  // The end of a stack does not end it.
  const { signal: killed } = new AbortController();
  const provider = await ProviderProcess.start({ ...options, killed }, config);
  stops.push(provider.stop.bind(provider));

  return Object.assign(provider, { stop: async () => {} });
};

const projects = new Projects();

async function run(scenario: Scenario, create: typeof createReal) {
  let stack: EngineStack | undefined;
  const other = scenario.mocked && mockedPackage();
  const plugin =
    other && create === createReal ? await servePlugin("mini", other.mocks) : undefined;

  try {
    const directory = projects.add("index.js", { "index.js": "" });

    return await play(scenario, { directory, asked: other?.asked }, async (what) => {
      const { secrets } = scenario;
      stack = await create({ ...what, secrets, mocks: other?.mocks, env: plugin?.env });
      return stack;
    });
  } finally {
    await stack?.close();
    plugin?.close();
  }
}

function expectOrder(order: string[], promises: string[] = []): void {
  for (const promised of promises.map((calls) => calls.split(", ")))
    expect(order.filter((call) => promised.includes(call))).toEqual(promised);
}
