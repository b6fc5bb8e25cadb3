"use strict";
// What a maintainer runs now and then, by name: `npm run release -- NAME`, and `bench` and `generate` likewise.
const { spawnSync } = require("node:child_process");

/**
 * Runs one of the steps, or lists them if none is named.
 * @param steps by name: `says`, what it is for; `commands`, run one after the other until one fails; `env`, variables for them.
 *   Arguments after the name go to the last command.
 */
function runStep(script, steps) {
  const [name, ...args] = process.argv.slice(2);
  if (name !== undefined && Object.hasOwn(steps, name)) {
    process.exitCode = perform(steps[name], args);
    return;
  }
  const lines = Object.entries(steps).map(
    ([step, { says }]) => `  npm run ${script} -- ${step.padEnd(16)}  ${says}`,
  );
  const text = `${lines.join("\n")}\n`;
  if (name === undefined) process.stdout.write(text);
  else {
    process.stderr.write(`${script}: there is no step ${name}, but these:\n${text}`);
    process.exitCode = 1;
  }
}

function perform({ commands, env = {} }, args) {
  for (const [index, line] of commands.entries()) {
    const [command, ...own] = line.split(" ");
    const given = index === commands.length - 1 ? args : [];
    const { status, error } = spawnSync(command, [...own, ...given], {
      stdio: "inherit",
      env: { ...process.env, ...env },
      // npm and jest are scripts for the shell there.
      shell: process.platform === "win32",
    });
    if (error) process.stderr.write(`${line}: ${error.message}\n`);
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

module.exports = { runStep };
