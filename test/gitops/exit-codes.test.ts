/**
 * What each template makes of the command's exit code, run as its platform runs it: a verdict lets pass what it does not
 * concern, and a check that failed or never ran lets nothing pass.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { load, steps } from "./support/files";

const running = new Set<ChildProcess>();
const directories: string[] = [];

afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** What the command does here: end with a code, or not be installed, as after `npm ci` in a repository without it. */
type Command = 0 | 1 | 2 | "missing";

/** A clone with its packages installed, and without a network. */
class Clone {
  readonly #directory = mkdtempSync(path.join(tmpdir(), "exit-codes-"));
  readonly #bin = path.join(this.#directory, "bin");
  readonly #project = path.join(this.#directory, "project");

  /** The real npx takes half a second of a processor; a missing command always gets it. */
  constructor(command: Command, npx: "script" | "real" = "script") {
    directories.push(this.#directory);
    const modules = path.join(this.#project, "node_modules", ".bin");
    for (const name of [this.#bin, modules]) mkdirSync(name, { recursive: true });
    writeFileSync(path.join(this.#project, "package.json"), '{ "name": "domains", "private": true }');
    // Everything but this package's command is well.
    writeFileSync(path.join(this.#bin, "pulumi"), "#!/bin/sh\n", { mode: 0o755 });
    if (command === "missing") return;
    const file = path.join(modules, "domain-monitoring");
    writeFileSync(file, `#!/bin/sh\necho "$0 $@"\nexit ${command}\n`, { mode: 0o755 });
    if (npx === "real") return;
    // What the real one does with an installed command, which is compared below.
    const script =
      '#!/bin/sh\n[ "$1" = --no-install ] || exit 9\nname=$2; shift 2\nexec "node_modules/.bin/$name" "$@"\n';
    writeFileSync(path.join(this.#bin, "npx"), script, { mode: 0o755 });
  }

  /** Runs a script; returns its exit code, what it printed, and the outputs of the step. */
  async run(script: string, env: Record<string, string> = {}) {
    const output = path.join(this.#directory, "output");
    writeFileSync(output, "");
    const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], {
      cwd: this.#project,
      env: {
        PATH: `${this.#bin}${path.delimiter}${process.env.PATH}`,
        HOME: this.#directory,
        npm_config_cache: path.join(this.#directory, "npm"),
        npm_config_offline: "true",
        npm_config_update_notifier: "false",
        DOMAIN_IDS: "a b",
        MINIMUM_DAYS: "30",
        MAXIMUM_AGE_HOURS: "336",
        PULUMI_STACK: "prod",
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: path.join(this.#directory, "summary"),
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
    }
    const [code] = await once(child, "close");
    running.delete(child);
    const found = /^code=(\d+)$/m.exec(readFileSync(output, "utf8"));
    return { code, printed, output: found?.[1] ?? "" };
  }
}

function step(file: string, name: string): string {
  const found = steps(file).find((candidate) => candidate.name === name)?.run;
  if (found === undefined) throw new Error(`${file} has no step ${name}`);
  return found;
}

const gitlab = load<Record<string, { script: string[] }>>("gitlab/.gitlab-ci.yml");
const deployments = load<{ settings: { operationContext: { preRunCommands: string[] } } }>(
  "deployments/deploy.yaml",
).settings.operationContext.preRunCommands.filter((line) => line.includes("domain-monitoring"));

/** GitHub hands the codes of steps on to the last one. */
async function night(clone: Clone) {
  const expiry = await clone.run(step("nightly.yml", "Expiry"));
  const report = await clone.run(step("nightly.yml", "Report"));
  expect([expiry.code, report.code]).toEqual([0, 0]);
  const env = { DRIFT: "0", EXPIRY: expiry.output, REPORT: report.output };
  const { code } = await clone.run(step("nightly.yml", "Result"), env);
  return { code, printed: expiry.printed + report.printed };
}

type Play = (clone: Clone) => Promise<{ code: number; printed: string }>;
const lenient: [string, Play][] = [
  ["the pull request on GitHub", (clone) => clone.run(step("pull-request.yml", "Expiry"))],
  ["main on GitHub", (clone) => clone.run(step("main.yml", "Summary"))],
  ["the merge request on GitLab", (clone) => clone.run((gitlab.preview?.script ?? []).join("\n"))],
  ["a deployment on Pulumi Deployments", (clone) => clone.run(deployments.join("\n"))],
];
const strict: [string, Play][] = [
  ["the night on GitHub", night],
  ["the night on GitLab", (clone) => clone.run((gitlab.nightly?.script ?? []).join("\n"))],
];

/** The exit code for each command. Where the command is missing, npx says so itself. */
async function codes(play: Play): Promise<Record<string, number>> {
  const commands: Command[] = [0, 1, 2, "missing"];
  const played = await Promise.all(
    commands.map(async (command) => ({ command, ...(await play(new Clone(command))) })),
  );
  for (const { command, printed } of played) {
    expect(/^npm (error|ERR!)/m.test(printed)).toBe(command === "missing");
  }
  return Object.fromEntries(played.map(({ command, code }) => [command, code]));
}

it.each([0, 1, 2] as const)("npx hands on the exit code %d of an installed command", async (command) => {
  const line = "npx --no-install domain-monitoring report --domain $DOMAIN_IDS";
  for (const npx of ["real", "script"] as const) {
    const { code, printed } = await new Clone(command, npx).run(line);
    expect({ code, printed }).toEqual({
      code: command,
      printed: expect.stringMatching(/\/domain-monitoring report --domain a b\n$/),
    });
  }
});

it.each(lenient)("%s passes with a verdict, and fails with the reason if there is none", async (_, play) => {
  expect(await codes(play)).toEqual({ 0: 0, 1: 1, 2: 0, missing: 1 });
});

it.each(strict)("%s fails with a verdict, and fails with the reason if there is none", async (_, play) => {
  expect(await codes(play)).toEqual({ 0: 0, 1: 1, 2: 2, missing: 1 });
});

it("the comment on GitHub says if there is no report", async () => {
  const clone = new Clone("missing");
  const before = 'touch preview.txt; gh() { if [ "$1" = pr ]; then cat comment.md; fi; }\n';
  const { code, printed } = await clone.run(before + step("pull-request.yml", "Comment"), {
    PULL_REQUEST: "7",
    GITHUB_REPOSITORY: "example/domains",
    OUTCOME: "success",
  });
  expect({ code, printed }).toEqual({
    code: 0,
    printed: expect.stringContaining("There is no report on the domains: see the job."),
  });
});

it.each([
  ["0", "2", 2],
  ["2", "0", 2],
  ["0", "1", 1],
  ["0", "0", 0],
])(
  "the nightly job on GitHub with %s for expiry and %s for the report exits with %d",
  async (expiry, report, code) => {
    const env = { DRIFT: "0", EXPIRY: expiry, REPORT: report };
    expect((await new Clone(0).run(step("nightly.yml", "Result"), env)).code).toBe(code);
  },
);
