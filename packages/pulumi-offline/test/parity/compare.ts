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
import { isOffline, isThorough } from "../../../../test/support/scope";
import { type Emulator, startEmulator } from "../../../domain-monitoring-emulator/src";
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
      const { entries, order } = await run(scenario, createOffline);
      expect(entries).toEqual(differences(name, pinned.scenarios[name] ?? []));
      expectOrder(order, scenario.order);
    });
  });
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
