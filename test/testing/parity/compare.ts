/**
 * The offline engine against the real one. What the real engine does is recorded, so that the comparison holds where there
 * is no `pulumi` command; where there is one of the recorded version, the recording itself is compared.
 * `npm run record:engine` writes it anew. The scenarios are those of several test files, which run side by side.
 */
import {
  createOffline,
  createReal,
  type EngineStack,
  realEngineAvailable,
  realEngineVersion,
} from "../../support/engines";
import { Projects } from "../../support/project";
import { differences } from "./differences";
import { expectVersion, readRecording, writeRecording } from "./recording";
import type { Scenario } from "./scenario";
import { play } from "./transcript";

const recording = process.env.PARITY_RECORD === "1";

/** Defines the tests of these scenarios. */
export function compareEngines(scenarios: Scenario[]): void {
  const { engine, scenarios: recorded } = readRecording();
  const named = scenarios.map((scenario) => [scenario.name, scenario] as const);
  const onReal = realEngineAvailable ? describe : describe.skip;

  onReal("what was recorded, on the real engine", () => {
    beforeAll(() => {
      if (!recording) expectVersion(engine, realEngineVersion);
    });
    afterAll(() => {
      if (recording && realEngineVersion) writeRecording({ engine: realEngineVersion, scenarios: recorded });
    });

    it.each(named)("%s", async (name, scenario) => {
      const { entries, order } = await run(scenario, createReal);
      if (recording) recorded[name] = entries;
      else expect(entries).toEqual(recorded[name]);
      expectOrder(order, scenario.order);
    });
  });

  describe("the offline engine does what was recorded of the real one", () => {
    it.each(named)("%s", async (name, scenario) => {
      const { entries, order } = await run(scenario, createOffline);
      expect(entries).toEqual(differences(name, recorded[name] ?? []));
      expectOrder(order, scenario.order);
    });
  });
}

function run(scenario: Scenario, create: typeof createReal) {
  const projects = new Projects();
  let stack: EngineStack | undefined;
  return play(scenario, projects.add("index.js", { "index.js": "" }), async (what) => {
    stack = await create({ ...what, secrets: scenario.secrets });
    return stack;
  }).finally(async () => {
    await stack?.close();
    projects.remove();
  });
}

function expectOrder(order: string[], promises: string[][] = []): void {
  for (const promised of promises) expect(order.filter((call) => promised.includes(call))).toEqual(promised);
}
