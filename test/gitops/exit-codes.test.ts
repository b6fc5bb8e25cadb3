/**
 * What each template makes of the command's exit code, run as its platform runs it: a verdict lets pass what it does not
 * concern, and a check that failed or never ran lets nothing pass. A platform that refuses a comment changes no verdict.
 */
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { gitops, load, steps, workflow, workflowFiles } from "./support/files";

/** What the command does here: end with a code, or not be installed, as after `npm ci` in a repository without it. */
type Command = 0 | 1 | 2 | "missing";

/** A clone with its packages installed, and without a network. */
class Clone {
  readonly #directory = temporaryDirectory();
  readonly #bin = path.join(this.#directory, "bin");
  readonly #project = path.join(this.#directory, "project");

  /** The real npx takes half a second of a processor; a missing command always gets it. */
  constructor(command: Command, npx: "script" | "real" = "script") {
    const modules = path.join(this.#project, "node_modules", ".bin");
    for (const name of [this.#bin, modules]) mkdirSync(name, { recursive: true });
    writeFileSync(path.join(this.#project, "package.json"), '{ "name": "domains", "private": true }');
    // Everything but this package's command is well.
    writeFileSync(path.join(this.#bin, "pulumi"), "#!/bin/sh\n", { mode: 0o755 });
    if (command === "missing") return;
    const file = path.join(modules, "domain-monitoring");
    writeFileSync(file, `#!/bin/sh\ncat > /dev/null\necho "$0 $@"\nexit ${command}\n`, { mode: 0o755 });
    if (npx === "real") return;
    // What the real one does with an installed command, which is compared below.
    const script =
      '#!/bin/sh\n[ "$1" = --no-install ] || exit 9\nname=$2; shift 2\nexec "node_modules/.bin/$name" "$@"\n';
    writeFileSync(path.join(this.#bin, "npx"), script, { mode: 0o755 });
  }

  /** Replaces a command of the runner by a script for `sh`. */
  command(name: string, script: string): this {
    writeFileSync(path.join(this.#bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return this;
  }

  write(file: string, text: string): this {
    writeFileSync(path.join(this.#project, file), text);
    return this;
  }

  read(file: string): string {
    return readFileSync(path.join(this.#project, file), "utf8");
  }

  /** Copies a file of the templates. */
  copy(file: string): this {
    copyFileSync(path.join(gitops, file), path.join(this.#project, path.basename(file)));
    return this;
  }

  /** Runs a script; returns its exit code, what it printed, and the outputs of the step. */
  async run(script: string, env: Record<string, string> = {}) {
    const output = path.join(this.#directory, "output");
    writeFileSync(output, "");
    const { code, output: printed } = await run(
      "bash",
      ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
      {
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
      },
    );
    const found = /^code=(\d+)$/m.exec(readFileSync(output, "utf8"));
    return { code, printed, output: found?.[1] ?? "" };
  }
}

function step(file: string, name: string): string {
  const found = steps(file).find((candidate) => candidate.name === name)?.run;
  if (found === undefined) throw new Error(`${file} has no step ${name}`);
  return found;
}

const gitlab = load<Record<string, { script: string[]; before_script: string[] }>>("gitlab/.gitlab-ci.yml");
const preRunCommands = load<{ settings: { operationContext: { preRunCommands: string[] } } }>(
  "deployments/deploy.yaml",
).settings.operationContext.preRunCommands;
const deployments = preRunCommands.filter((line) => line.includes("domain-monitoring"));
const onGitLab = (job: string) => (gitlab[job]?.script ?? []).join("\n");

type Play = (clone: Clone, env?: Record<string, string>) => Promise<{ code: number | null; printed: string }>;

/** GitHub hands the codes of steps on to the last one. */
const night: Play = async (clone, env) => {
  const expiry = await clone.run(step("nightly.yml", "Expiry"), env);
  const report = await clone.run(step("nightly.yml", "Report"), env);
  expect([expiry.code, report.code]).toEqual([0, 0]);
  const { code } = await result("0", expiry.output, report.output);
  return { code, printed: expiry.printed + report.printed };
};
const result = (DRIFT: string, EXPIRY: string, REPORT: string) =>
  new Clone(0).run(step("nightly.yml", "Result"), { DRIFT, EXPIRY, REPORT });

const lenient: [string, Play][] = [
  ["the pull request on GitHub", (clone) => clone.run(step("pull-request.yml", "Expiry"))],
  ["main on GitHub", (clone) => clone.run(step("main.yml", "Summary"))],
  ["the merge request on GitLab", (clone) => clone.run(onGitLab("preview"))],
  ["a deployment on Pulumi Deployments", (clone) => clone.run(deployments.join("\n"))],
];
const strict: [string, Play][] = [
  ["the night on GitHub", night],
  ["the night on GitLab", (clone, env) => clone.run(onGitLab("nightly"), env)],
];

/** The exit code for each command. Where the command is missing, npx says so itself. */
async function codes(play: Play): Promise<Record<string, number | null>> {
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

describe("at night", () => {
  const asked = async (play: Play, env: Record<string, string>) => {
    const { printed } = await play(new Clone(0), env);
    return printed.match(/domain-monitoring (?:expiry|report) .*(?=--minimum-days)/g);
  };

  it.each(strict)("%s asks for the ids, or by choice for the whole account", async (_, play) => {
    const calls = (domains: string) =>
      ["expiry", "report"].map((name) => `domain-monitoring ${name} ${domains} `);
    expect(await asked(play, {})).toEqual(calls("--domain a b"));
    expect(await asked(play, { ALL_DOMAINS: "false" })).toEqual(calls("--domain a b"));
    expect(await asked(play, { ALL_DOMAINS: "true" })).toEqual(calls("--all"));
  });
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
  ["0", "0", "2", 2],
  ["0", "2", "0", 2],
  ["0", "0", "1", 1],
  ["7", "0", "0", 7],
])(
  "the nightly job on GitHub with %s for drift, %s for expiry and %s for the report exits with %d",
  async (drift, expiry, report, code) => {
    expect((await result(drift, expiry, report)).code).toBe(code);
  },
);

describe("without the ids of the domains", () => {
  const guards: [string, string][] = [
    ...workflowFiles.flatMap((file) =>
      Object.entries(workflow(file).jobs)
        // What follows another job has been checked there.
        .filter(([name]) => name !== "report")
        .map(([name, job]): [string, string] => [`${name} of ${file}`, job.steps[0]?.run ?? ""]),
    ),
    ["every job on GitLab", gitlab.default?.before_script.join("\n") ?? ""],
    ["a deployment on Pulumi Deployments", preRunCommands.join("\n")],
  ];

  it.each(guards)(
    "%s fails with the variable's name before anything is asked or installed",
    async (_, script) => {
      for (const ids of ["", "  "]) {
        const asked = "echo asked for something";
        const clone = new Clone(0).command("npm", asked).command("pulumi", asked).command("npx", asked);
        const { code, printed } = await clone.run(script, { DOMAIN_IDS: ids, POLICY_PACK: "" });
        expect({ code, printed }).toEqual({
          code: 1,
          printed: expect.stringMatching(
            /^(::error::)?The variable DOMAIN_IDS is not set: set it to the ids of the domains, separated by spaces\n$/,
          ),
        });
      }
    },
  );
});

describe("a report after the deployment", () => {
  it("is a job of its own, so that its failure is none of the deployment", () => {
    const { up, report } = workflow("main.yml").jobs;
    expect(up?.steps.at(-1)?.name).toBe("Nothing is left to do");
    expect(report).toMatchObject({ needs: "up" });
    expect(JSON.stringify(report?.steps)).not.toMatch(/pulumi|secrets\.PULUMI/);
  });

  it.each([1, "missing"] as const)(
    "that fails (%s) says that the deployment has succeeded",
    async (command) => {
      const { code, printed } = await new Clone(command).run(step("main.yml", "Summary"));
      expect(code).toBe(1);
      expect(printed).toMatch(
        /^::error::The deployment has succeeded\. Only this report .* run this job alone again$/m,
      );
    },
  );
});

describe("after a deployment that was killed", () => {
  const urn = "urn:pulumi:prod::domains::domain-monitoring:index:NotificationChannel::ops";
  const killed = { pending_operations: [{ type: "creating", resource: { urn } }] };
  /** A `pulumi` that exports a deployment. */
  const engine = (deployment: object | undefined) =>
    `if [ "$1 $2" = "stack export" ]; then echo '${JSON.stringify({ version: 3, deployment })}'; else echo "ran $1"; fi`;
  const jobs: [string, string][] = [
    ["GitHub", step("main.yml", "Nothing was interrupted")],
    ["GitLab", onGitLab("up")],
  ];

  it.each(jobs)("main on %s stops, lists the channels and says what to do", async (_, script) => {
    for (const command of [0, 1] as const) {
      const { code, printed } = await new Clone(command).command("pulumi", engine(killed)).run(script);
      expect(code).toBe(1);
      expect(printed).not.toMatch(/^ran /m);
      expect(printed).toMatch(/A deployment was killed/);
      expect(printed).toContain(`\ncreating ${urn}\n`);
      expect(printed).toMatch(/domain-monitoring channels --domain a b --from-stack -\n/);
      expect(printed.includes("They cannot all be listed: look into the service's own settings.")).toBe(
        command === 1,
      );
      expect(printed).toContain("pulumi refresh --clear-pending-creates --stack prod\n");
    }
  });

  it.each(jobs)("or where nothing was, main on %s goes on", async (platform, script) => {
    for (const deployment of [{}, { pending_operations: [] }, undefined]) {
      const { code, printed } = await new Clone(0).command("pulumi", engine(deployment)).run(script);
      expect({ code, printed }).toEqual({
        code: 0,
        printed: platform === "GitHub" ? "" : "ran up\nran preview\n",
      });
    }
  });

  it.each(jobs)("main on %s stops if the state cannot be read", async (_, script) => {
    const { code, printed } = await new Clone(0)
      .command("pulumi", "echo no such stack >&2; exit 4")
      .run(script);
    expect(code).not.toBe(0);
    expect(printed).not.toMatch(/^ran /m);
    expect(printed).toContain("no such stack");
  });
});

describe("the drift of a night", () => {
  /** A `pulumi` whose preview ends with one code with a refresh, and with another without. */
  const engine = (refreshed: number, program: number) =>
    `case "$*" in *--refresh*) echo "the preview"; exit ${refreshed} ;; esac; exit ${program}`;

  it.each([
    [7, 0, "The service differs from what was deployed", "run `pulumi up --refresh --stack prod`"],
    [7, 7, "Changes of the program or its settings are not deployed", "Run the pipeline of the main branch"],
    [7, 1, "The preview failed (exit code 7)", ""],
    [1, 0, "The preview failed (exit code 1)", ""],
  ])(
    "that ends with %d, and %d without a refresh, is called what it is",
    async (refreshed, program, heading, advice) => {
      const clone = new Clone(0).command("pulumi", engine(refreshed, program));
      const { code, output } = await clone.run(step("nightly.yml", "Drift"));
      expect({ code, output }).toEqual({ code: 0, output: String(refreshed) });
      const said = clone.read("drift.md");
      expect(said.split("\n")[0]).toBe(`## ${heading}`);
      expect(said).toContain(advice);
      expect(said).toMatch(/^~~~~text\nthe preview\n\n~~~~$/m);
      expect(said.includes("--refresh")).toBe(heading.startsWith("The service"));

      // The same on GitLab, whose job hands both codes on.
      const other = new Clone(0).command("pulumi", engine(refreshed, program));
      const shown = 'node() { echo "codes $4 $5 $6 $7"; }\n';
      const night = await other.run(shown + onGitLab("nightly"), { GITLAB_TOKEN: "token" });
      expect(night.code).toBe(refreshed);
      expect(night.printed).toContain(`codes 0 ${refreshed} ${refreshed === 7 ? program : ""} `);
    },
  );
});

describe("a text that is longer than the platform accepts", () => {
  /** 200,000 characters, the most urgent first. */
  const long = `# Domains\n\n${Array.from({ length: 4_000 }, (_, row) => `| ${String(row).padStart(5)} | ${"ü".repeat(37)} |`).join("\n")}\n`;
  /** A `gh` that refuses as GitHub does, and keeps what it was given. */
  const gh = `
    file=$(printf '%s\\n' "$@" | sed -n 's/^body=@//p;/\\.md$/p' | head -n 1)
    [ -n "$file" ] || exit 0
    [ "$(node -p 'require("fs").readFileSync(process.argv[1], "utf8").length' "$file")" -le 65536 ] || { echo "body is too long"; exit 1; }
    cp "$file" published.md`;

  it.each([
    ["pull-request.yml", "Comment", "41"],
    ["pull-request.yml", "Comment", ""],
    ["nightly.yml", "Issue", ""],
  ])("is cut after the urgent rows: %s, %s", async (file, name, known) => {
    const clone = new Clone(0)
      .command("gh", `[ "$1" = api ] && [ "$3" = --paginate ] && { printf '%s' "${known}"; exit 0; }${gh}`)
      .write("preview.txt", "+ create\n".repeat(20_000))
      .write("expiry.txt", "too soon\n".repeat(20_000))
      .write("drift.md", "## Drift\n")
      .write("domains.md", long);
    const { code, printed } = await clone.run(step(file, name), {
      PULL_REQUEST: "7",
      GITHUB_REPOSITORY: "example/domains",
      OUTCOME: "success",
      DRIFT: "7",
      EXPIRY: "2",
      REPORT: "2",
      JOB: "https://github.example.com/job/1",
    });
    expect({ code, refused: printed.includes("too long") }).toEqual({ code: 0, refused: false });
    const published = clone.read("published.md");
    expect(published.length).toBeGreaterThan(40_000);
    expect(published).toContain("|     0 |");
    expect(published).toMatch(/ü \|\n\n\nThe rest was cut: the log of the job has all of it\.\n$/);
    expect(published).not.toContain("\ufffd");
    if (file === "nightly.yml") expect(published).toContain("Last job: https://github.example.com/job/1");
    // What was cut is in the log: here, or in the log of the step that made the report.
    else expect(printed).toContain("|  3999 |");
  });

  it("is published as it is up to that length", async () => {
    const clone = new Clone(0)
      .command("gh", gh)
      .write("preview.txt", "+ create\n")
      .write("domains.md", "# Domains\n");
    const env = { PULL_REQUEST: "7", GITHUB_REPOSITORY: "example/domains", OUTCOME: "success" };
    await clone.run(step("pull-request.yml", "Comment"), env);
    expect(clone.read("published.md")).toMatch(/# Domains\n$/);
  });
});

it("the logs of the nights have the whole report", async () => {
  const writing = 'while [ $# -gt 0 ]; do [ "$1" = --output ] && echo "the whole report" > "$2"; shift; done';
  for (const script of [
    step("nightly.yml", "Report"),
    step("main.yml", "Summary"),
    onGitLab("nightly"),
    onGitLab("preview"),
  ])
    expect((await new Clone(0).command("npx", writing).run(script)).printed).toContain("the whole report");
});

describe("a platform that refuses what is to be published", () => {
  it("does not change the verdict on GitHub", () => {
    for (const [file, name] of [
      ["pull-request.yml", "Comment"],
      ["nightly.yml", "Issue"],
    ] as const)
      expect(steps(file).find((one) => one.name === name)).toMatchObject({ "continue-on-error": true });
  });

  it.each(["preview", "nightly"])(
    "does not change it on GitLab, where it is said in one line: %s",
    async (job) => {
      const server = createServer((_, response) => response.writeHead(503).end("{}")).listen(0, "127.0.0.1");
      await once(server, "listening");
      try {
        const { port } = server.address() as AddressInfo;
        for (const command of [0, 1, 2] as const) {
          const { code, printed } = await new Clone(command).copy("gitlab/gitlab.mjs").run(onGitLab(job), {
            GITLAB_TOKEN: "gitlab-token",
            CI_API_V4_URL: `http://127.0.0.1:${port}`,
            CI_PROJECT_ID: "5",
            CI_MERGE_REQUEST_IID: "7",
          });
          expect(code).toBe(command === 2 && job === "preview" ? 0 : command);
          const lines = printed.split("\n").filter((line) => line.includes("GitLab answered 503 to GET"));
          expect(lines).toEqual([
            expect.stringMatching(
              /^The (note|issue) was not written: GitLab answered 503 to GET \S+\. README\.md says/,
            ),
          ]);
          expect(printed).not.toMatch(/^ +at /m);
        }
      } finally {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
    },
  );
});
