/**
 * The offline engine against the real one. What the real engine does is recorded, so that the
 * comparison holds where there is no `pulumi` command; where there is one of a recorded version,
 * the recording itself is compared. `npm run release -- record-engine` writes it anew.
 */
import {
  createOffline,
  createReal,
  type EngineStack,
  realEngineAvailable,
  realEngineVersion,
} from "../../../../test/support/engines";
import { Projects } from "../../../../test/support/project";
import { isOffline, isQuick, isThorough } from "../../../../test/support/scope";
import { type Emulator, startEmulator } from "../../../domain-monitoring-emulator/src";
import {
  ProviderProcess,
  type StartedProvider,
  type StartProvider,
} from "../../src/processes/provider-process";
import { differences } from "./differences";
import { mockedPackage } from "./package";
import { servePlugin } from "./plugin";
import { completed, readRecording, writeRecording } from "./recording";
import type { Scenario } from "./scenario";
import { play } from "./transcript";

const recording = process.env.PARITY_RECORD === "1";

/** Defines the tests of these scenarios, or where not everything is run, of some of them. */
export function compareEngines(scenarios: Scenario[]): void {
  const pinned = readRecording("pinned");
  const latest = readRecording("latest");
  const here = realEngineVersion === pinned.engine ? pinned : completed(latest, pinned);
  const named = scenarios
    .filter(({ isUsual = false }) => isThorough || isUsual)
    .map((scenario) => [scenario.name, scenario] as const);

  // What another version does otherwise could be the version's.
  const versions = [pinned.engine, latest.engine];
  const isRecorded = realEngineVersion !== undefined && versions.includes(realEngineVersion);
  const onReal = isRecorded || (recording && realEngineAvailable) ? describe : describe.skip;
  const onOffline = isOffline ? describe : describe.skip;

  onReal(`what was recorded of ${versions.join(" and ")}, on the real engine`, () => {
    afterAll(() => {
      if (recording && realEngineVersion) writeRecording({ ...here, engine: realEngineVersion });
    });

    it.each(named)("%s", async (name, scenario) => {
      const { entries, order } = await run(scenario, createReal);
      if (recording) here.scenarios[name] = entries;
      else expect(entries).toEqual(here.scenarios[name]);

      expectOrder(order, scenario.order);
    });
  });

  onOffline("the offline engine does what was recorded of the real one", () => {
    it.each(named)("%s", async (name, scenario) => {
      const expected = differences(name, pinned.scenarios[name] ?? []);
      const kept = new KeptProcesses();
      // All that a process prints has been read only once it has ended.
      const isKept = isQuick && !JSON.stringify(expected).includes('"info: ');
      const create: typeof createReal = (options) =>
        createOffline(options, isKept ? kept.start : undefined);

      const { entries, order } = await run(scenario, create).finally(() => kept.stop());
      expect(entries).toEqual(expected);
      expectOrder(order, scenario.order);
    });
  });
}

/**
 * Provider processes that outlive an operation: the next one with the same configuration has no
 * process to start, which takes most of its time.
 */
class KeptProcesses {
  readonly #kept = new Map<string, Promise<StartedProvider>>();
  readonly #stops: (() => Promise<void>)[] = [];

  readonly start: StartProvider = (options, config) => {
    const key = JSON.stringify([options.env, config]);
    const kept = this.#kept.get(key) ?? this.#start(options, config);
    this.#kept.set(key, kept);

    return kept;
  };

  async #start(...[options, config]: Parameters<StartProvider>): Promise<StartedProvider> {
    // The end of an operation does not end it.
    const { signal: killed } = new AbortController();
    const provider = await ProviderProcess.start({ ...options, killed }, config);
    this.#stops.push(provider.stop.bind(provider));

    return Object.assign(provider, { stop: async () => {} });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()));
  }
}

async function run(scenario: Scenario, create: typeof createReal) {
  const projects = new Projects();
  let stack: EngineStack | undefined;
  let service: Emulator | undefined;
  const other = scenario.mocked && mockedPackage();
  const plugin =
    other && create === createReal ? await servePlugin("mini", other.mocks) : undefined;

  try {
    const { secrets, serviceToken: token } = scenario;
    const domains = [{ id: "monitored" }];
    if (token) service = await startEmulator({ token, lifecycle: "managed", domains });

    const settings = service && {
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0" },
      secrets: { ...secrets, "domain-monitoring:apiToken": service.token },
    };

    const directory = projects.add("index.js", { "index.js": "" });
    const { asked, mocks } = other ?? {};

    return await play(scenario, { directory, service, asked }, async (what) => {
      stack = await create({ ...what, secrets, ...settings, mocks, env: plugin?.env });
      return stack;
    });
  } finally {
    await stack?.close();
    await service?.close();
    plugin?.close();
    projects.remove();
  }
}

function expectOrder(order: string[], promises: string[] = []): void {
  for (const promised of promises.map((calls) => calls.split(", ")))
    expect(order.filter((call) => promised.includes(call))).toEqual(promised);
}
