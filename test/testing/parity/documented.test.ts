import { readFileSync } from "node:fs";
import path from "node:path";
import { known } from "./differences";
import { scenarios } from "./scenarios";

const page = readFileSync(path.join(__dirname, "../../../docs/testing.md"), "utf8");

describe("a difference between the engines", () => {
  it.each(known)("is documented with its reason, and has a scenario: $scenario", ({ scenario, reason }) => {
    expect(scenarios.map(({ name }) => name)).toContain(scenario);
    const row = page.split("\n").find((line) => line.includes(scenario));
    expect(row).toContain(reason);
  });
});
