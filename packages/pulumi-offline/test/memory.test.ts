/** Closed stacks leave nothing behind in the process. */
import path from "node:path";
import { run } from "../../../test/support/run";

it("closed stacks leave neither memory nor processes nor handles behind", async () => {
  const script = path.join(__dirname, "fixtures/live-objects.cjs");
  // With a handle or a process left over, the script would not end.
  const args = ["--expose-gc", "-r", require.resolve("../src/processes/preload"), script];
  const { stdout, stderr } = await run(process.execPath, args);
  expect(stderr).toBe("");

  const { made, left }: { made: number; left: string[] } = JSON.parse(stdout);
  expect(made).toBe(36);
  // The SDK itself keeps the state of three programs: the first, the last, and the last that
  // logged.
  expect(left.filter((what) => !what.startsWith("runtime state"))).toEqual([]);
  expect(left.length).toBeLessThanOrEqual(3);
});
