/**
 * `examples/testing` in the test runners that it is for. This repository does not depend on vitest,
 * so it runs only if vitest is on PATH.
 */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";

const example = path.join(__dirname, "../../examples/testing");

/** The variables of this test runner would tell the other one that it is a worker. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(JEST|NODE_ENV|VITEST)/.test(name)),
);

function run(command: string, ...args: string[]) {
  const options = { cwd: example, env: { ...env, NO_COLOR: "1" }, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  return { status, text: stdout + stderr };
}

/** Longer than a user's tests need, so that a busy machine fails none of them. */
const PATIENCE = "--testTimeout=120000";
const hasVitest = spawnSync("vitest", ["--version"], { cwd: tmpdir() }).status === 0;

describe("the example of a tested program", () => {
  it("passes in jest", () => {
    const { status, text } = run(process.execPath, require.resolve("jest/bin/jest"), PATIENCE);
    expect(text).toMatch(/Tests: +6 passed, 6 total/);
    expect(text).not.toContain("did not exit");
    expect(status).toBe(0);
  });

  (hasVitest ? it : it.skip)("passes in vitest", () => {
    const { status, text } = run("vitest", "run", "--globals", PATIENCE);
    expect(text).toMatch(/Tests +6 passed \(6\)/);
    expect(status).toBe(0);
  });
});
