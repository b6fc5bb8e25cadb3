"use strict";
// The two engines that can run an example, behind the same few operations. `write` shows a text,
// and `note` only keeps it.

const { StackError, TestStack } = require("pulumi-offline");
const { engineVersion, openStack } = require("../real-engine.cjs");

function chooseEngine() {
  const version = engineVersion();
  if (version) return { start: withCli, name: "cli", why: `\`pulumi\` ${version} is on PATH` };
  const why =
    "there is no `pulumi` command on PATH; this test engine runs the same program and provider";
  return { start: withOfflineEngine, name: "offline", why };
}

/**
 * The real engine with all its files in a temporary directory: the user's files are neither read
 * nor changed.
 */
async function withCli({ environment, note, write, ...settings }) {
  const pulumi = await openStack({
    ...settings,
    env: { ...process.env, ...environment },
    onOutput: note,
  });
  const shown = (...args) => pulumi(args, { onOutput: write });
  return {
    configure: async (changes) => {
      for (const [key, value] of Object.entries(changes))
        await pulumi(value === undefined ? ["config", "rm", key] : ["config", "set", key, value]);
    },
    preview: () => shown("preview", "--suppress-outputs"),
    refusedPreview: async () => {
      const { code } = await pulumi(["preview", "--suppress-outputs"], {
        mayFail: true,
        onOutput: write,
      });
      if (code === 0) throw new Error("the preview was to be refused");
    },
    up: () => shown("up", "--yes", "--skip-preview"),
    upAgain: () =>
      shown("up", "--yes", "--skip-preview", "--suppress-outputs", "--expect-no-changes"),
    destroy: () => shown("destroy", "--yes", "--skip-preview"),
    close: async () => {},
  };
}

/** The offline engine. */
async function withOfflineEngine({
  project,
  config,
  secrets,
  environment,
  stack: name,
  note,
  write,
}) {
  const options = { workDir: project, stack: name, config, secrets, env: environment };
  const stack = await TestStack.create(options);
  const show = (result) => {
    note(JSON.stringify(result.resources));
    for (const { severity, message } of result.diagnostics)
      if (severity !== "debug") write(`  ${severity}: ${message}\n`);
    const changes = Object.entries(result.changes).map(
      ([operation, count]) => `${operation} ${count}`,
    );
    write(`  Resources: ${changes.join(", ") || "none"}\n`);
    return result;
  };
  return {
    // Every operation reads the options again.
    configure: async (changes) => {
      const changed = Object.entries({ ...options.config, ...changes });
      options.config = Object.fromEntries(changed.filter(([, value]) => value !== undefined));
    },
    preview: async () => show(await stack.preview()),
    refusedPreview: async () => {
      const refused = await stack.preview().then(
        () => new Error("the preview was to be refused"),
        (error) => error,
      );
      if (!(refused instanceof StackError)) throw refused;
      show(refused.result);
    },
    up: async () => {
      const { outputs } = show(await stack.up());
      for (const [key, { value, secret }] of Object.entries(outputs))
        write(`  ${key}: ${secret ? "[secret]" : JSON.stringify(value)}\n`);
    },
    upAgain: async () => {
      const { changes } = show(await stack.up());
      // Functions call the service again each time.
      const others = Object.keys(changes).filter(
        (operation) => !["same", "read"].includes(operation),
      );
      if (others.length > 0)
        throw new Error(`the second deploy was to change nothing, but did: ${others.join(", ")}`);
    },
    destroy: async () => show(await stack.destroy()),
    close: () => stack.close(),
  };
}

module.exports = { chooseEngine };
