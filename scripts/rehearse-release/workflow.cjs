"use strict";
// Runs the commands of the release's workflow, word for word, as its runner would: job by job, each in a directory of its own.
const fs = require("node:fs");
const path = require("node:path");
const yaml = require("yaml");
const { succeed } = require("../run.cjs");

/** Jobs whose commands are `npm test` and `npm run release -- test`, and the one that needs a .NET SDK. */
const LEFT_OUT = ["test", "test-release", "sdk-dotnet"];

/**
 * Stands in for the platform's command: puts the assets of a release where they are served.
 * @param page the directory that is served
 */
function platformCommand(page) {
  return `#!/bin/sh
set -e
[ "$1 $2" = "auth setup-git" ] && exit 0
[ "$1 $2" = "release create" ]
cat > "${page}/notes-$3.md"
while [ "$1" != -- ]; do shift; done
shift
cp -- "$@" "${page}"
`;
}

/**
 * @param origin the repository that a job checks out, a path
 * @param env variables of the runner; they win over those of a step
 */
async function runWorkflow({ file, origin, tag, directory, env, say }) {
  const { jobs } = yaml.parse(fs.readFileSync(file, "utf8"));
  for (const name of LEFT_OUT) delete jobs[name];
  const artifact = path.join(directory, "artifact");
  for (const [name, { steps }] of Object.entries(jobs)) {
    const workspace = path.join(directory, name);
    fs.mkdirSync(workspace, { recursive: true });
    for (const step of steps) await perform(step, { workspace, artifact, origin, tag, env, name, say });
    if (name !== "build") fs.rmSync(workspace, { recursive: true });
  }
}

async function perform({ uses = "", run: script, env: own = {}, ...step }, job) {
  const { workspace, artifact, origin, tag, name, say } = job;
  const shell = (text, cwd) =>
    succeed("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", text], { cwd, env });
  const values = Object.entries(own).map(([key, value]) => [
    key,
    String(value).replace(/\$\{\{.*?\}\}/g, ""),
  ]);
  const env = { ...Object.fromEntries(values), ...job.env };
  if (script) {
    const { seconds } = await shell(script, path.join(workspace, step["working-directory"] ?? "."));
    say(`${name}: ${script.trim().split("\n").join("; ")}`, seconds);
  } else if (uses.startsWith("actions/checkout@")) {
    await shell(`git clone --quiet --branch "${tag}" "${origin}" .`, workspace);
  } else if (uses.startsWith("actions/upload-artifact@")) {
    fs.cpSync(path.join(workspace, step.with.path), artifact, { recursive: true });
  } else if (uses.startsWith("actions/download-artifact@")) {
    fs.cpSync(artifact, path.join(workspace, step.with.path), { recursive: true });
  } else say(`${name}: not on this machine: ${uses}`);
}

module.exports = { platformCommand, runWorkflow };
