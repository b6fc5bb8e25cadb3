/** The real engine: the `pulumi` command, with its home, its state and its stack in the project's temporary directory. */
import { statSync } from "node:fs";
import engine from "../../scripts/real-engine.cjs";

export const realEngine = {
  name: "real engine",
  stateMeasure: "bytes of the stack's state file per channel",

  version: engine.engineVersion,

  async open({ directory, project }, { config, secrets }, signal) {
    const env = withoutPulumi(process.env);
    const pulumi = await engine.openStack({
      project,
      directory,
      stack: "bench",
      env,
      config,
      secrets,
      signal,
    });
    const changing = ["--yes", "--skip-preview", "--suppress-outputs"];
    return {
      preview: () => pulumi(["preview"]),
      up: () => pulumi(["up", ...changing]),
      noop: () => pulumi(["up", ...changing, "--expect-no-changes"]),
      destroy: () => pulumi(["destroy", ...changing]),
      stateBytes: () => statSync(engine.stateFile(directory)).size,
      close: async () => {},
    };
  },
};

/** Settings of the user's own would make one machine's figures differ from another's. */
function withoutPulumi(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(PULUMI_|DOMAIN_MONITORING_)/.test(name)),
  );
}
