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
