/**
 * `examples/testing` in the test runners that it is for. vitest is no dependency of this
 * repository: it runs where it is on PATH.
 */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";

const example = path.join(__dirname, "../../examples/testing");

/** This test runner's own variables would tell the other that it is a worker. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(JEST|NODE_ENV|VITEST)/.test(name)),
);

function run(command: string, ...args: string[]) {
  const options = {
    cwd: example,
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
  } as const;

  const { status, stdout, stderr } = spawnSync(command, args, options);

  return { status, text: stdout + stderr };
}

/** More than a user's tests need, so that none of them fails for a busy machine. */
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
