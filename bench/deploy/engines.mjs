/**
 * The two engines with the same operations, each on a new stack; `noop` fails where a second `up`
 * changes something.
 */
import { statSync } from "node:fs";
import { TestStack } from "pulumi-offline";
import engine from "../../scripts/real-engine.cjs";

export const realEngineVersion = () => engine.engineVersion();

/** The `pulumi` command, with its home and its state in the project's temporary directory. */
export async function openReal({ directory, project }, settings) {
  const env = engine.cleanEnvironment();
  const pulumi = await engine.openStack({ ...settings, project, directory, stack: "bench", env });
  const changing = ["--yes", "--skip-preview", "--suppress-outputs"];
  return {
    up: () => pulumi(["up", ...changing]),
    noop: () => pulumi(["up", ...changing, "--expect-no-changes"]),
    destroy: () => pulumi(["destroy", ...changing]),
    stateBytes: () => statSync(engine.stateFile(directory)).size,
  };
}

/** `TestStack` of `pulumi-offline`: the SDK's own processes, without the `pulumi` command. */
export async function openOffline({ project }, settings) {
  const stack = await TestStack.create({ ...settings, workDir: project, stack: "bench" });
  let resources;
  return {
    async up() {
      ({ resources } = await stack.up());
    },
    async noop() {
      const changed = Object.keys((await stack.up()).changes).filter((name) => name !== "same");
      if (changed.length > 0)
        throw new Error(`the second up was to change nothing, but did: ${changed}`);
    },
    destroy: () => stack.destroy(),
    stateBytes: () => Buffer.byteLength(JSON.stringify(resources)),
    close: () => stack.close(),
  };
}
