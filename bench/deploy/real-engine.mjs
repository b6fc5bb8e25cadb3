/** The real engine: the `pulumi` command, with its home, its state and its stack in the project's temporary directory. */
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import engine from "../../scripts/real-engine.cjs";

/** How long a command may take to wind up after it was asked to end, before it is killed. */
const PATIENCE_MS = 5000;

export const realEngine = {
  name: "real engine",
  stateMeasure: "bytes of the stack's state file per channel",

  version: engine.engineVersion,

  async open({ directory, project }, { config, secrets, environment }, signal) {
    const env = {
      ...withoutPulumi(process.env),
      ...engine.engineEnvironment(directory),
      ...environment,
    };
    const pulumi = (...args) => run(args, { cwd: project, env }, signal);
    const pairs = (option, values) =>
      Object.entries(values).flatMap(([key, value]) => [option, `${key}=${value}`]);
    await pulumi("stack", "init", "bench");
    await pulumi("config", "set-all", ...pairs("--plaintext", config), ...pairs("--secret", secrets));
    return {
      preview: () => pulumi("preview"),
      up: () => pulumi("up", "--yes", "--skip-preview", "--suppress-outputs"),
      noop: () => pulumi("up", "--yes", "--skip-preview", "--suppress-outputs", "--expect-no-changes"),
      refresh: () => pulumi("refresh", "--yes", "--skip-preview", "--suppress-outputs"),
      destroy: () => pulumi("destroy", "--yes", "--skip-preview", "--suppress-outputs"),
      stateBytes: () => statSync(engine.stateFile(directory)).size,
      state: () => readFileSync(engine.stateFile(directory)),
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

function run(args, options, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        // The end says what went wrong; a thousand lines of progress do not.
        printed = (printed + text).slice(-4000);
      });
    }
    const stop = async () => {
      child.kill("SIGINT");
      await delay(PATIENCE_MS, undefined, { ref: false });
      child.kill("SIGKILL");
    };
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason);
      else if (code === 0) resolve();
      else reject(new Error(`pulumi ${args[0]} ended with ${code}:\n${printed}`));
    });
  });
}
