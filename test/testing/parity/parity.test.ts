/**
 * The offline engine against the real one. What the real engine does is recorded, so that the comparison holds where there
 * is no `pulumi` command; where there is one, the recording itself is compared. `PARITY_RECORD=1` writes it anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createOffline, createReal, type EngineStack, realEngineAvailable } from "../../support/engines";
import { Projects } from "../../support/project";
import { differences } from "./differences";
import { scenarios } from "./scenarios";
import { type Entry, play } from "./transcript";

const file = path.join(__dirname, "recorded.json");
const recording = process.env.PARITY_RECORD === "1";
const recorded: Record<string, Entry[]> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};

const onReal = realEngineAvailable ? describe : describe.skip;

function run(scenario: (typeof scenarios)[number], create: typeof createReal) {
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

function expectOrder(order: string[], promised: string[] = []): void {
  expect(order.filter((call) => promised.includes(call))).toEqual(promised);
}

onReal("what was recorded, on the real engine", () => {
  afterAll(() => {
    if (!recording) return;
    const sorted = Object.fromEntries(scenarios.map(({ name }) => [name, recorded[name]]));
    writeFileSync(file, `${JSON.stringify(sorted, undefined, 1)}\n`);
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (name, scenario) => {
    const { entries, order } = await run(scenario, createReal);
    if (recording) recorded[name] = entries;
    else expect(entries).toEqual(recorded[name]);
    expectOrder(order, scenario.order);
  });
});

describe("the offline engine does what was recorded of the real one", () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (name, scenario) => {
    const { entries, order } = await run(scenario, createOffline);
    expect(entries).toEqual(differences(name, recorded[name] ?? []));
    expectOrder(order, scenario.order);
  });
});
