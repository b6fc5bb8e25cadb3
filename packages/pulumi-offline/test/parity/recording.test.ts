/** The recording is complete, and each known difference between engines is one. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { known } from "./differences";
import { readRecording } from "./recording";
import { scenarios } from "./scenarios";

const file = path.join(__dirname, "../../../../docs/contributing/what-was-run.md");
const page = readFileSync(file, "utf8");
const pinned = readRecording("pinned");
const latest = readRecording("latest");

it("the recording names its engine and has exactly the scenarios", () => {
  expect(pinned.engine).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.keys(pinned.scenarios)).toEqual(scenarios.map(({ name }) => name));
});

it("the recording of a later engine has what it does otherwise, which is documented with both versions", () => {
  expect(latest.engine).toMatch(/^\d+\.\d+\.\d+$/);
  expect(page).toContain(`(${pinned.engine})`);

  for (const [name, entries] of Object.entries(latest.scenarios)) {
    expect(pinned.scenarios[name]).toBeDefined();
    expect(entries).not.toEqual(pinned.scenarios[name]);
    const row = page.split("\n").find((line) => line.includes(name));
    expect(row).toContain(latest.engine);
  }
});

it.each(known)("a difference is documented, and has a scenario: $scenario", (difference) => {
  const { scenario, reason } = difference;
  const row = page.split("\n").find((line) => line.includes(scenario));
  expect(scenarios.map(({ name }) => name)).toContain(scenario);
  expect(row).toContain(reason);
});
