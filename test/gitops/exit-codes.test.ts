/**
 * How each template reacts to the command's exit code, run as on its platform. A verdict does not
 * stop unrelated work. A check that failed or never ran stops everything. A platform that refuses a
 * comment changes no verdict.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Clone, onGitLab, step } from "./support/clone";
import { preRunCommands } from "./support/files";

const NAME = "pulumi-domain-monitoring";

/** The command's exit code here. It is missing after `npm ci` in a repository without it. */
type Command = 0 | 1 | 2 | "missing";

/**
 * A clone with its packages installed and without a network. A script replaces npx, which takes
 * half a second of CPU time.
 */
function cloneWith(command: Command, npx: "script" | "real" = "script"): Clone {
  const clone = new Clone();
  const modules = path.join(clone.project, "node_modules", ".bin");
  mkdirSync(modules, { recursive: true });
  writeFileSync(path.join(clone.project, "package.json"), '{ "name": "domains", "private": true }');
  // Every other command succeeds.
  clone.command("pulumi", `if [ "$1 $2" = "stack export" ]; then echo '{}'; fi`);
  const script = `#!/bin/sh\ncat > /dev/null\necho "$0 $@"\nexit ${command}\n`;
  if (command !== "missing") writeFileSync(path.join(modules, NAME), script, { mode: 0o755 });
  if (npx === "real") return clone;

  // Behaves like the real npx; a test below compares them.
  return clone.command(
    "npx",
    `[ "$1" = --no-install ] || exit 9
    name=node_modules/.bin/$2; shift 2
    [ -x $name ] || { echo "npm error" >&2; exit 1; }
    exec "$name" "$@"`,
  );
}

type Play = (clone: Clone) => Promise<{ code: number | null; printed: string }>;

const inMergeRequest = { CI_PIPELINE_SOURCE: "merge_request_event" };
const onSchedule = { CI_PIPELINE_SOURCE: "schedule" };

it.each<[string, Play, verdict: number]>([
  ["the pull request on GitHub", (clone) => clone.run(step("preview.yml", "Report")), 0],
  ["the merge request on GitLab", (clone) => clone.run(onGitLab("report"), inMergeRequest), 0],
  [
    "a deployment on Pulumi Deployments",
    (clone) =>
      clone.run(preRunCommands().find((line) => line.includes(NAME)) ?? "", { DOMAIN_IDS: "a b" }),
    0,
  ],
  // night.test.ts has the night on GitHub.
  ["the night on GitLab", (clone) => clone.run(onGitLab("report"), onSchedule), 2],
])("%s ends with the code of a verdict, or fails", async (_, play, verdict) => {
  const commands: Command[] = [0, 1, 2, "missing"];
  const played = commands.map(async (command) => {
    const { code, printed } = await play(cloneWith(command));
    // If the command is missing, npx reports that itself.
    expect(/^npm (error|ERR!)/m.test(printed)).toBe(command === "missing");
    return [command, code];
  });
  const codes = Object.fromEntries(await Promise.all(played));
  expect(codes).toEqual({ 0: 0, 1: 1, 2: verdict, missing: 1 });
});

it.each<[Command, number, RegExp]>([
  [2, 2, /\/pulumi-domain-monitoring report --all\n$/],
  ["missing", 1, /^npm (error|ERR!)/],
])("npx with a command of exit code %s ends with %d", async (command, code, text) => {
  const printed = expect.stringMatching(text);
  for (const npx of ["real", "script"] as const)
    expect(await cloneWith(command, npx).run(`npx --no-install ${NAME} report --all`)).toEqual({
      code,
      printed,
    });
});

it.each([
  ["GitHub", step("nightly.yml", "Drift")],
  ["GitLab", onGitLab("drift")],
])("the look for drift on %s refreshes, and ends with the preview's code", async (_, script) => {
  for (const code of [0, 255]) {
    const refreshes = `case "$*" in *" --refresh --expect-no-changes "*) exit ${code} ;; esac; exit 9`;
    expect(await cloneWith(0).command("pulumi", refreshes).run(script)).toMatchObject({ code });
  }
});

it("the domains on Pulumi Deployments have to be named before anything is installed", async () => {
  const clone = cloneWith(0).command("npm", "echo npm");
  const printed = expect.stringMatching(/^The variable DOMAIN_IDS is not set/);
  const commands = preRunCommands().join("\n");
  expect(await clone.run(commands, { DOMAIN_IDS: " " })).toEqual({ code: 1, printed });
});

const urn = "urn:pulumi:prod::domains::domain-monitoring:index:NotificationChannel::ops";
const killed = { pending_operations: [{ type: "creating", resource: { urn } }] };

/** A `pulumi` that exports a deployment in the engine's format. */
const engine = (deployment: object) => {
  const state = JSON.stringify({ version: 3, deployment }, undefined, 4);
  return `case "$*" in "stack export --stack "*" --file "*) echo '${state}' > "$6" ;; *) echo "ran $1" ;; esac`;
};

describe.each([
  ["GitHub", `${step("deploy.yml", "Nothing was interrupted")}${step("deploy.yml", "Up")}`],
  ["GitLab", onGitLab("deploy")],
])("after a deployment that was killed: main on %s", (_platform, script) => {
  const deploy = (pulumi: string) => cloneWith(0).command("pulumi", pulumi).run(script);

  it("stops, and says where the next steps are", async () => {
    const { code, printed } = await deploy(engine(killed));
    expect(code).toBe(1);
    expect(printed).not.toMatch(/^ran /m);
    expect(printed).toMatch(/A deployment was killed.*docs\/ci-cd\.md/);
  });

  it("deploys where nothing was, and checks that nothing is left to change", async () => {
    for (const deployment of [{}, { pending_operations: [] }])
      expect(await deploy(engine(deployment))).toEqual({
        code: 0,
        printed: "ran up\nran preview\n",
      });
  });

  it("stops if the state cannot be read", async () => {
    const { code, printed } = await deploy("echo no such stack >&2; exit 4");
    expect(code).not.toBe(0);
    expect(printed).not.toMatch(/^ran /m);
    expect(printed).toContain("no such stack");
  });

  it("fails with up", async () => {
    const failing = `case "$1" in stack) echo '{}' > "$6" ;; up) exit 255 ;; *) echo "ran $1" ;; esac`;
    const printed = expect.not.stringMatching(/^ran /m);
    expect(await deploy(failing)).toEqual({ code: 255, printed });
  });
});
