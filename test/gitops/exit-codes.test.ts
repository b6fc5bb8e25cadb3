/**
 * What each template makes of the command's exit code, run as its platform runs it: a verdict lets pass what it does not
 * concern, and a check that failed or never ran lets nothing pass. A platform that refuses a comment changes no verdict.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Clone, onGitLab, step } from "./support/clone";
import { expression, load, steps, workflow, workflowFiles } from "./support/files";
import { Platform } from "./support/platform";

const NAME = "pulumi-domain-monitoring";

/** What the command does here: end with a code, or not be installed, as after `npm ci` in a repository without it. */
type Command = 0 | 1 | 2 | "missing";

/** A clone with its packages installed, and without a network. The real npx takes half a second of a processor. */
function cloneWith(command: Command, npx: "script" | "real" = "script"): Clone {
  const clone = new Clone();
  const modules = path.join(clone.project, "node_modules", ".bin");
  mkdirSync(modules, { recursive: true });
  writeFileSync(path.join(clone.project, "package.json"), '{ "name": "domains", "private": true }');
  // Everything but this package's command is well.
  clone.command("pulumi", `if [ "$1 $2" = "stack export" ]; then echo '{}'; fi`);
  const script = `#!/bin/sh\ncat > /dev/null\necho "$0 $@"\nexit ${command}\n`;
  if (command !== "missing") writeFileSync(path.join(modules, NAME), script, { mode: 0o755 });
  if (npx === "real") return clone;
  // What the real one does, which is compared below.
  return clone.command(
    "npx",
    `[ "$1" = --no-install ] || exit 9
    name=node_modules/.bin/$2; shift 2
    [ -x $name ] || { echo "npm error"; exit 1; }
    exec "$name" "$@"`,
  );
}

const preRunCommands = load<{ settings: { operationContext: { preRunCommands: string[] } } }>(
  "deployments/deploy.yaml",
).settings.operationContext.preRunCommands;

type Play = (clone: Clone, env?: Record<string, string>) => Promise<{ code: number | null; printed: string }>;

/** GitHub hands the codes of steps on to the last one. */
const night: Play = async (clone, env) => {
  let printed = "";
  for (const name of ["Drift", "Report"]) {
    const ended = await clone.run(step("nightly.yml", name), env);
    expect(ended.code).toBe(0);
    printed += ended.printed;
  }
  return { ...(await clone.run(step("nightly.yml", "Result"))), printed };
};
const lenient: [string, Play][] = [
  ["the pull request on GitHub", (clone, env) => clone.run(step("pull-request.yml", "Report"), env)],
  ["the merge request on GitLab", (clone, env) => clone.run(onGitLab("preview"), env)],
  [
    "a deployment on Pulumi Deployments",
    (clone) => clone.run(preRunCommands.find((line) => line.includes(NAME)) ?? "", { DOMAIN_IDS: "a b" }),
  ],
];
const strict: [string, Play][] = [
  ["the night on GitHub", night],
  ["the night on GitLab", (clone, env) => clone.run(onGitLab("nightly"), env)],
];

/** The exit code for each command. Where the command is missing, npx says so itself. */
async function codes(play: Play): Promise<Record<string, number | null>> {
  const commands: Command[] = [0, 1, 2, "missing"];
  const played = commands.map(async (command) => {
    const { code, printed } = await play(cloneWith(command));
    expect(/^npm (error|ERR!)/m.test(printed)).toBe(command === "missing");
    return [command, code];
  });
  return Object.fromEntries(await Promise.all(played));
}

it.each<[Command, number, RegExp]>([
  [0, 0, /\/pulumi-domain-monitoring report --domain a b\n$/],
  [2, 2, /\/pulumi-domain-monitoring report --domain a b\n$/],
  ["missing", 1, /^npm (error|ERR!)/],
])("npx with a command of exit code %s ends with %d", async (command, code, text) => {
  const printed = expect.stringMatching(text);
  for (const npx of ["real", "script"] as const)
    expect(await cloneWith(command, npx).run(`npx --no-install ${NAME} report $DOMAINS`)).toEqual({
      code,
      printed,
    });
});

it.each(lenient)("%s passes with a verdict, and fails with the reason if there is none", async (_, play) => {
  expect(await codes(play)).toEqual({ 0: 0, 1: 1, 2: 0, missing: 1 });
});

it.each(strict)("%s fails with a verdict, and fails with the reason if there is none", async (_, play) => {
  expect(await codes(play)).toEqual({ 0: 0, 1: 1, 2: 2, missing: 1 });
});

it("the night on GitHub fails if the preview does", async () => {
  const clone = cloneWith(0).command("pulumi", 'case "$*" in *--refresh*) exit 7 ;; esac');
  expect((await night(clone)).code).toBe(7);
  expect(clone.read("program.code")).toBe("0\n");
});

describe("the domains", () => {
  const checks = workflowFiles.flatMap((file) =>
    Object.entries(workflow(file).jobs).map(([name, { steps }]) => [`${name} of ${file}`, steps?.[1]?.run]),
  );
  checks.push(["every job on GitLab", onGitLab("default", "before_script")]);

  it.each(checks)(
    "%s: ids, or by choice the whole account, and neither fails with the variables' names",
    async (_, script = "") => {
      const play = (DOMAIN_IDS: string, ALL_DOMAINS: string) => {
        // As GitHub evaluates the expression of DOMAINS.
        const DOMAINS = ALL_DOMAINS === "true" ? "--all" : `--domain ${DOMAIN_IDS}`;
        const env = { DOMAINS, DOMAIN_IDS, ALL_DOMAINS, POLICY_PACK: "" };
        return cloneWith(0).command("npm", "echo npm").run(script, env);
      };
      for (const none of ["", "  "])
        expect(await play(none, "false")).toEqual({
          code: 1,
          printed: expect.stringMatching(
            /^(::error::)?Set the variable DOMAIN_IDS to .*, or ALL_DOMAINS to true\n$/,
          ),
        });
      expect((await play("a b", "")).code).toBe(0);
      expect((await play("", "true")).code).toBe(0);
    },
  );

  it("on GitHub are an expression of the two variables, which every job checks before it installs anything", () => {
    for (const file of workflowFiles) {
      expect(workflow(file).env.DOMAINS).toBe(
        expression("vars.ALL_DOMAINS == 'true' && '--all' || format('--domain {0}', vars.DOMAIN_IDS)"),
      );
      for (const { steps } of Object.values(workflow(file).jobs))
        expect(steps?.[1]?.name).toBe("The domains are named");
    }
  });

  it("on Pulumi Deployments have to be named before anything is installed", async () => {
    const clone = cloneWith(0).command("npm", "echo npm");
    const { code, printed } = await clone.run(preRunCommands.join("\n"), { DOMAIN_IDS: " " });
    expect({ code, printed }).toEqual({
      code: 1,
      printed: expect.stringMatching(/^The variable DOMAIN_IDS is not set/),
    });
  });

  it.each([...lenient.slice(0, 2), ...strict])("%s asks for them", async (_, play) => {
    for (const DOMAINS of ["--domain a b", "--all"]) {
      const { printed } = await play(cloneWith(0), { DOMAINS });
      const asked = [...printed.matchAll(/domain-monitoring report (.*) --rules/g)];
      expect(new Set(asked.map(([, domains]) => domains))).toEqual(new Set([DOMAINS]));
    }
  });
});

it.each([...lenient.slice(0, 2), ...strict])(
  "%s compares the recorded channels of the named stacks",
  async (_, play) => {
    const exporting = 'case "$*" in "stack export --stack "*" --file "*) echo "{}" > "$6" ;; esac';
    const clone = () => cloneWith(0).command("pulumi", exporting);
    const { printed } = await play(clone(), { RECORDED_STACKS: "prod org/web/dev" });
    expect(printed).toContain(" --from-stack recorded-prod.json recorded-org-web-dev.json --title ");
    expect((await play(clone())).printed).not.toContain("--from-stack");
  },
);

describe("after a deployment that was killed", () => {
  const urn = "urn:pulumi:prod::domains::domain-monitoring:index:NotificationChannel::ops";
  const killed = { pending_operations: [{ type: "creating", resource: { urn } }] };
  /** A `pulumi` that exports a deployment. */
  const engine = (deployment: object | undefined) =>
    `if [ "$1 $2" = "stack export" ]; then echo '${JSON.stringify({ version: 3, deployment })}'; else echo "ran $1"; fi`;

  describe.each([
    ["GitHub", step("main.yml", "Nothing was interrupted"), step("main.yml", "Up"), ""],
    ["GitLab", onGitLab("up"), onGitLab("up"), "ran up\nran preview\n"],
  ])("main on %s", (_platform, script, up, whatFollows) => {
    it("stops, lists the channels and says what to do, all of it for the issue", async () => {
      for (const command of [0, 1] as const) {
        const clone = cloneWith(command).command("pulumi", engine(killed));
        const { code, printed } = await clone.run(script);
        expect(code).not.toBe(0);
        expect(printed).not.toMatch(/^ran /m);
        const said = clone.read("up.txt");
        expect(said).toMatch(/^A deployment was killed/);
        expect(said).toContain(`\ncreating ${urn}\n`);
        expect(said).toMatch(/domain-monitoring channels --domain a b --from-stack -\n/);
        expect(said?.includes("They cannot all be listed: look into the service's own settings.")).toBe(
          command === 1,
        );
        expect(said).toContain("pulumi refresh --clear-pending-creates --stack prod\n");
        expect(printed).toContain(said);
      }
    });

    it("goes on where nothing was", async () => {
      for (const deployment of [{}, { pending_operations: [] }, undefined])
        expect(await cloneWith(0).command("pulumi", engine(deployment)).run(script)).toEqual({
          code: 0,
          printed: whatFollows,
        });
    });

    it("stops if the state cannot be read", async () => {
      const clone = cloneWith(0).command("pulumi", "echo no such stack >&2; exit 4");
      const { code, printed } = await clone.run(script);
      expect(code).not.toBe(0);
      expect(printed).not.toMatch(/^ran |domain-monitoring channels/m);
      expect(printed).toContain("no such stack");
    });

    it("fails with up, and keeps what it said for the issue", async () => {
      const failing = `case "$1" in stack) echo '{}' ;; up) echo "created a channel"; exit 255 ;; *) echo "ran $1" ;; esac`;
      const clone = cloneWith(0).command("pulumi", failing);
      expect(await clone.run(up)).toEqual({ code: 255, printed: expect.not.stringMatching(/^ran /m) });
      expect(clone.read("up.txt")).toBe("created a channel\n");
    });
  });
});

it("the logs have the whole report", async () => {
  const writing = 'while [ $# -gt 0 ]; do [ "$1" = --output ] && echo "the whole report" > "$2"; shift; done';
  for (const script of [
    step("pull-request.yml", "Report"),
    step("nightly.yml", "Report"),
    onGitLab("nightly"),
    onGitLab("preview"),
  ])
    expect((await cloneWith(0).command("npx", writing).run(script)).printed).toContain("the whole report");
});

describe("what is said on the platform", () => {
  it("is said whatever failed before, and changes no verdict", () => {
    const said = workflowFiles.flatMap((file) =>
      steps(file).filter(({ run }) => /pipeline\.mjs (comment|nightly|deployment)$/.test(run ?? "")),
    );
    expect(said.map(({ if: when }) => when)).toEqual([
      expression("always()"),
      expression("always()"),
      expression("!cancelled()"),
    ]);
    for (const one of said) expect(one).toMatchObject({ "continue-on-error": true });
  });

  it.each([
    ["preview", "## Preview of prod: it did not run"],
    ["nightly", "## The job failed before it had checked everything"],
    ["up", "## The deployment of prod failed"],
  ])("is said on GitLab after the job %s, which failed when it installed", async (job, text) => {
    const platform = await Platform.start("GitLab");
    try {
      const env = { ...platform.env, CI_JOB_STATUS: "failed" };
      expect(await cloneWith(0).run(onGitLab(job, "after_script"), env)).toEqual({ code: 0, printed: "" });
      expect([...platform.comments, ...platform.issues].map(({ body }) => body)).toEqual([
        expect.stringContaining(text),
      ]);
      platform.asked = 0;
      await cloneWith(0).run(onGitLab(job, "after_script"), { ...env, GITLAB_TOKEN: "" });
      expect(platform.asked).toBe(0);
    } finally {
      await platform.close();
    }
  });
});
