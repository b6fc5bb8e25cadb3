import { readFileSync } from "node:fs";
import path from "node:path";
import { known } from "./differences";
import { expectVersion, readRecording } from "./recording";
import { scenarios } from "./scenarios";

it("the recording says which engine it is of, and has every scenario and no other", () => {
  const { engine, scenarios: recorded } = readRecording();
  expect(engine).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.keys(recorded)).toEqual(scenarios.map(({ name }) => name));
});

it("an engine of another version is not compared with the recording", () => {
  expect(() => expectVersion("3.248.0", "3.249.1")).toThrow(
    "recorded on 3.248.0, this is 3.249.1: record again with `npm run record:engine`",
  );
  expect(() => expectVersion("3.248.0", "3.248.0")).not.toThrow();
});

describe("a difference between the engines", () => {
  const page = readFileSync(path.join(__dirname, "../../../docs/testing.md"), "utf8");

  it.each(known)("is documented with its reason, and has a scenario: $scenario", ({ scenario, reason }) => {
    expect(scenarios.map(({ name }) => name)).toContain(scenario);
    const row = page.split("\n").find((line) => line.includes(scenario));
    expect(row).toContain(reason);
  });
});
