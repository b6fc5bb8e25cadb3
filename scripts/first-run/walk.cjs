"use strict";
// Follows a Markdown page exactly, as a new user would: its `yaml` and `ts` blocks become Pulumi.yaml and index.ts, its
// `sh` lines are run one after the other in an empty directory, against the local service and with a packed tarball.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { engineEnvironment } = require("../real-engine.cjs");

const PACKAGE = "pulumi-domain-monitoring";
const FILES = { yaml: "Pulumi.yaml", ts: "index.ts" };

/** The page's steps: files to write and commands to run, in order. */
function stepsOf(markdown) {
  return [...markdown.matchAll(/^```(yaml|ts|sh)\n(.*?)^```/gms)].flatMap(([, language, code]) =>
    language === "sh"
      ? code
          .trim()
          .split("\n")
          .map((command) => ({ command }))
      : [{ file: FILES[language], code }],
  );
}

/** One section of a page, from its heading to the next of the same level. */
function section(markdown, heading) {
  const found = markdown.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (!found) throw new Error(`there is no section "${heading}": the first run follows it`);
  return found;
}

/**
 * Adapts a command to this environment: the package source, the service and the input at prompts. If `modules` is given, these
 * packages are linked instead of installed.
 * @returns the shell command, and the input that a person would type
 */
function translate(command, { tarball, modules, service, secrets }) {
  const [, key] = /^pulumi config set --secret (\S+)$/.exec(command) ?? [];
  const typed = key === "domain-monitoring:apiToken" ? service.token : secrets[key];
  if (key && typed === undefined) throw new Error(`the walk has no value for the secret ${key}`);
  if (modules) {
    const main = path.join(modules, PACKAGE, "dist/cli/main.js");
    if (command.startsWith("npm install ")) return { run: `ln -s '${modules}' node_modules`, typed: "" };
    if (/\bnpx /.test(command)) return { run: command.replace(/\bnpx \S+/, `node '${main}'`), typed: "" };
  }
  const run = command
    .replace(`npm install ${PACKAGE} `, `npm install '${tarball}' `)
    .replace(/(domain-monitoring:baseUrl) \S+/, `$1 ${service.url}`)
    // A person would confirm the preview with yes.
    .replace(/^pulumi (up|destroy|stack rm)\b/, "pulumi $1 --yes");
  return { run, typed: typed === undefined ? "" : `${typed}\n` };
}

/** Runs a shell command to its end and collects its output. */
function run(command, input, options) {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { ...options, stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
    // A command that reads nothing may have ended already.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/**
 * Runs the steps. Only those with `mayFail` may exit with a code other than 0.
 * @returns each command with what it printed
 */
async function walk(steps, { directory, env, ...world }) {
  const transcript = [];
  for (const { file, code, command, mayFail = false } of steps) {
    if (file) {
      fs.writeFileSync(path.join(directory, file), code);
      transcript.push({ file, code });
      continue;
    }
    // The service is already running.
    if (command === "npx domain-monitoring emulator") continue;
    const { run: translated, typed } = translate(command, world);
    const ended = await run(translated, typed, { cwd: directory, env });
    transcript.push({ command, ...ended });
    if (ended.code !== 0 && !mayFail)
      throw new Error(`\`${command}\` ended with exit code ${ended.code}:\n${ended.output}`);
  }
  return transcript;
}

/** The environment of a reader who has not configured anything yet. */
function readerEnvironment(directory) {
  return {
    ...process.env,
    ...engineEnvironment(directory),
    // A variable of this machine must not replace a setting that the reader makes.
    DOMAIN_MONITORING_BASE_URL: "",
    DOMAIN_MONITORING_API_TOKEN: "",
  };
}

module.exports = { readerEnvironment, section, stepsOf, walk };
