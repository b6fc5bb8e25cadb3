/**
 * How each template reacts to the command's exit code, run as on its platform. A verdict does not
 * stop unrelated work. A check that failed or never ran stops everything. A platform that refuses a
 * comment changes no verdict.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Clone, onGitLab, step } from "./support/clone";
import { expression, load, reusableWorkflows, steps } from "./support/files";

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
    [ -x $name ] || { echo "npm error"; exit 1; }
    exec "$name" "$@"`,
  );
}

const preRunCommands = load<{ settings: { operationContext: { preRunCommands: string[] } } }>(
  "deployments/deploy.yaml",
).settings.operationContext.preRunCommands;

type Play = (
  clone: Clone,
  env?: Record<string, string>,
) => Promise<{ code: number | null; printed: string }>;

/** GitHub passes the code on to the last step. */
const night: Play = async (clone, env) => {
  const report = await clone.run(step("nightly.yml", "Report"), env);

  expect(report.code).toBe(0);

  return { ...(await clone.run(step("nightly.yml", "Result"))), printed: report.printed };
};

const inMergeRequest = { CI_PIPELINE_SOURCE: "merge_request_event" };
const onSchedule = { CI_PIPELINE_SOURCE: "schedule" };

const lenient: [string, Play][] = [
  ["the pull request on GitHub", (clone, env) => clone.run(step("preview.yml", "Report"), env)],
  [
    "the merge request on GitLab",
    (clone, env) => clone.run(onGitLab("report"), { ...inMergeRequest, ...env }),
  ],
  [
    "a deployment on Pulumi Deployments",
    (clone) =>
      clone.run(preRunCommands.find((line) => line.includes(NAME)) ?? "", { DOMAIN_IDS: "a b" }),
  ],
];

const strict: [string, Play][] = [
  ["the night on GitHub", night],
  ["the night on GitLab", (clone, env) => clone.run(onGitLab("report"), { ...onSchedule, ...env })],
];

/** The exit code for each command. If the command is missing, npx reports that itself. */
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

it.each(lenient)(
  "%s passes with a verdict, and fails with the reason if there is none",
  async (_, play) => {
    expect(await codes(play)).toEqual({ 0: 0, 1: 1, 2: 0, missing: 1 });
  },
);

it.each(strict)(
  "%s fails with a verdict, and fails with the reason if there is none",
  async (_, play) => {
    expect(await codes(play)).toEqual({ 0: 0, 1: 1, 2: 2, missing: 1 });
  },
);

it.each([
  ["GitHub", step("nightly.yml", "Drift")],
  ["GitLab", onGitLab("drift")],
])(
  "the look for drift on %s fails if the preview does, and says whether the program has changed",
  async (_, script) => {
    const play = async (refresh: number, program: number) => {
      const clone = cloneWith(0).command(
        "pulumi",
        `case "$*" in *--refresh*) exit ${refresh} ;; *) exit ${program} ;; esac`,
      );

      const { code } = await clone.run(script);

      return { code, drift: clone.read("drift.code"), program: clone.read("program.code") };
    };

    expect(await play(0, 0)).toEqual({ code: 0, drift: "0\n", program: undefined });

    expect(await play(7, 0)).toEqual({ code: 7, drift: "7\n", program: "0\n" });

    expect(await play(7, 7)).toEqual({ code: 7, drift: "7\n", program: "7\n" });

    expect(await play(255, 0)).toEqual({ code: 255, drift: "255\n", program: undefined });
  },
);

describe("the domains", () => {
  it("the domains on Pulumi Deployments have to be named before anything is installed", async () => {
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
      const asked = [
        ...printed.matchAll(/domain-monitoring report (.*) --rules domain-monitoring\.yaml/g),
      ];

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

    expect(printed).toContain(
      " --from-stack recorded-prod.json recorded-org-web-dev.json --title ",
    );

    expect((await play(clone())).printed).not.toContain("--from-stack");
  },
);

describe("after a deployment that was killed", () => {
  const urn = "urn:pulumi:prod::domains::domain-monitoring:index:NotificationChannel::ops";
  const killed = { pending_operations: [{ type: "creating", resource: { urn } }] };
  /** A `pulumi` that exports a deployment in the engine's format. */
  const engine = (deployment: object) => {
    const state = JSON.stringify({ version: 3, deployment }, undefined, 4);
    return `case "$*" in "stack export --stack "*" --file "*) echo '${state}' > "$6" ;; *) echo "ran $1" ;; esac`;
  };

  describe.each([
    ["GitHub", step("deploy.yml", "Nothing was interrupted"), step("deploy.yml", "Up"), ""],
    ["GitLab", onGitLab("deploy"), onGitLab("deploy"), "ran up\nran preview\n"],
  ])("main on %s", (_platform, script, up, whatFollows) => {
    it("stops and writes the channels and the next steps for the issue", async () => {
      for (const command of [0, 1] as const) {
        const clone = cloneWith(command).command("pulumi", engine(killed));
        const { code, printed } = await clone.run(script);

        expect(code).toBe(1);
        expect(printed).not.toMatch(/^ran /m);

        const said = clone.read("up.txt");

        expect(said).toMatch(/^A deployment was killed/);
        expect(said).toContain(`\n"urn": "${urn}"\n`);
        expect(said).toMatch(/domain-monitoring channels --domain a b --from-stack state\.json\n/);
        expect(
          said?.includes("They cannot all be listed: look into the service's own settings."),
        ).toBe(command === 1);

        expect(said).toContain(
          "pulumi refresh --clear-pending-creates --stack prod, and run this job again.\n",
        );

        expect(printed).toContain(said);
      }
    });

    it("goes on where nothing was", async () => {
      for (const deployment of [{}, { pending_operations: [] }])
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
      const failing = `case "$1" in stack) echo '{}' > "$6" ;; up) echo "created a channel"; exit 255 ;; *) echo "ran $1" ;; esac`;
      const clone = cloneWith(0).command("pulumi", failing);

      expect(await clone.run(up)).toEqual({
        code: 255,
        printed: expect.not.stringMatching(/^ran /m),
      });

      expect(clone.read("up.txt")).toBe("created a channel\n");
      expect(clone.read("up.code")).toBeUndefined();
    });
  });
});

describe("what is said on the platform", () => {
  it("is said whatever failed before, and changes no verdict", () => {
    const said = reusableWorkflows.flatMap((file) =>
      steps(file).filter(({ run }) => run?.includes(`npx --no-install ${NAME} ci `)),
    );

    expect(said.map(({ if: when }) => when)).toEqual([
      expression("always()"),
      expression("always()"),
      expression("always()"),
      expression("!cancelled()"),
      expression("!cancelled()"),
    ]);

    for (const one of said) expect(one).toMatchObject({ "continue-on-error": true });
  });

  const play = async (job: string, env: Record<string, string>, command: Command = 0) => {
    const clone = cloneWith(command);
    writeFileSync(path.join(clone.project, "report.json"), "{}");

    return { ...(await clone.run(onGitLab(job, "after_script"), env)), clone };
  };

  it.each([
    ["report", "merge_request_event", "comment --account domains"],
    ["report", "schedule", "nightly --account domains"],
    ["preview", "merge_request_event", "comment --stack prod"],
    ["drift", "schedule", "nightly --stack prod"],
    ["deploy", "push", "deployment --stack prod"],
  ])(
    "is said on GitLab after the job %s of a %s, if there is a token",
    async (job, source, command) => {
      const env = { CI_PIPELINE_SOURCE: source, GITLAB_TOKEN: "job-token" };

      expect((await play(job, env)).printed).toMatch(new RegExp(`/${NAME} ci ${command}\n$`));
      expect(await play(job, { ...env, GITLAB_TOKEN: "" })).toMatchObject({
        code: 0,
        printed: expect.not.stringContaining(" ci "),
      });
    },
  );

  it("makes the report the last night's only where the platform has accepted it", async () => {
    for (const command of [0, 1] as const) {
      const onPlatform = await play(
        "report",
        { ...onSchedule, GITLAB_TOKEN: "job-token" },
        command,
      );

      expect(onPlatform.clone.read("previous.json") === "{}").toBe(command === 0);

      const clone = cloneWith(command);
      writeFileSync(path.join(clone.project, "report.json"), "{}");

      expect((await clone.run(step("nightly.yml", "Issue"))).code).toBe(command);
      expect(clone.read("previous.json") === "{}").toBe(command === 0);
    }

    const [save] = steps("nightly.yml").filter(({ uses }) =>
      uses?.startsWith("actions/cache/save@"),
    );

    expect(save?.if).toBe(expression("always() && steps.issue.outcome == 'success'"));
  });
});
