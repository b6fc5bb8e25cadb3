/** The workflow files from the view of GitHub and of a security reviewer. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../support/temporary";
import { Clone, step } from "./support/clone";
import { root } from "./support/copy";
import {
  callers,
  expression,
  ownWorkflows,
  read,
  reusableWorkflows,
  steps,
  workflow,
} from "./support/files";

/** Every workflow, of the examples and of this repository. */
const all = [callers, ownWorkflows].flatMap((directory) =>
  readdirSync(directory)
    .filter((file) => file.endsWith(".yml"))
    .map((file) => ({ file, directory, shown: path.relative(root, path.join(directory, file)) })),
);

const inRepository = all.filter(({ directory }) => directory === ownWorkflows);

describe.each(inRepository)("the workflow $shown", ({ file, directory, shown }) => {
  const text = readFileSync(path.join(root, shown), "utf8");
  const { jobs } = workflow(file, directory);

  it("leaves no credentials in the work tree, and every job has a time-out", () => {
    for (const { uses, with: settings } of steps(file, directory))
      if (uses?.startsWith("actions/checkout@"))
        expect(settings).toEqual({ "persist-credentials": false });

    for (const job of Object.values(jobs))
      if (job.steps) expect(job["timeout-minutes"]).toBeLessThanOrEqual(90);
  });

  it("uses actions that are pinned by commit, with the version beside it", () => {
    const lines = text.match(/uses: (?!\.).*/g) ?? [];

    expect(lines.length).toBeGreaterThan(1);

    for (const line of lines) expect(line).toMatch(/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("puts no expression into a script, because a title could become a command", () => {
    for (const { run = "" } of steps(file, directory)) expect(run).not.toContain("${{");
    expect(text).not.toMatch(/pull_request_target/);
  });
});

const SECRETS = ["DOMAIN_MONITORING_API_TOKEN", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];

describe.each(reusableWorkflows)("the workflow %s, which others call", (file) => {
  const parsed = workflow(file);
  const { workflow_call: called } = parsed.on as {
    workflow_call: { inputs: object; secrets: object };
  };

  const { dependabot: _, ...checks } = parsed.jobs;
  const jobs = Object.entries(checks);

  it("has only the permissions it needs", () => {
    const needs: Record<string, Record<string, string>> = {
      "preview.yml": { contents: "read", "pull-requests": "write" },
      "deploy.yml": { contents: "read", issues: "write" },
      "nightly.yml": { contents: "read", issues: "write" },
    };

    expect(parsed.permissions).toEqual(needs[file]);

    for (const [, { permissions }] of jobs) expect(permissions).toBeUndefined();
  });

  it("never runs code of a fork with access to secrets", () => {
    const own =
      "!cancelled() && !needs.dependabot.outputs.skips && github.event.pull_request.head.repo.full_name == github.repository";

    for (const [, job] of jobs)
      expect(job.if).toBe(file === "preview.yml" ? expression(own) : undefined);
  });

  it("reports once, and has its other jobs for each stack", () => {
    for (const [name, job] of jobs) {
      const isReport = name === "report";
      if (isReport) expect(job.strategy).toBeUndefined();
      else {
        const matrix = { stack: expression("fromJSON(inputs.stacks)") };

        expect(job.strategy).toMatchObject({ "fail-fast": false, matrix });
        expect(job.concurrency?.group).toMatch(/^domain-monitoring-.*-\$\{\{ matrix\.stack \}\}$/);
      }

      expect(job.env?.PULUMI_STACK).toBe(isReport ? undefined : expression("matrix.stack"));
      // Only a preview may be cancelled, because it changes nothing.
      expect(job.concurrency?.["cancel-in-progress"]).toBe(file === "preview.yml");
    }
  });

  it("has an environment for each job, so that two accounts can have two tokens", () => {
    const of = file === "deploy.yml" ? "matrix.stack" : "inputs.environment";
    for (const [, { environment }] of jobs) expect(environment).toBe(expression(of));
  });

  it("waits for a rate limit of the service, and stops where a command of a pipe fails", () => {
    for (const [, { env }] of jobs)
      expect(env).toMatchObject({ DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" });

    expect(parsed.defaults.run.shell).toBe("bash");

    const used = new Set(steps(file).flatMap(({ uses }) => uses?.replace(/@.*/, "") ?? []));
    const caches = file === "nightly.yml" ? ["actions/cache/restore", "actions/cache/save"] : [];
    // The whole report.
    const uploads = file === "deploy.yml" ? [] : ["actions/upload-artifact"];

    expect([...used].sort()).toEqual([
      ...caches,
      "actions/checkout",
      "actions/setup-node",
      ...uploads,
      "pulumi/actions",
    ]);
  });

  it("passes a secret only to the environment of the steps that need it", () => {
    expect(Object.keys(called.secrets)).toEqual(SECRETS);

    const places = expressions(parsed, "secrets.").map(({ at, text }) => {
      expect(SECRETS.map((name) => expression(`secrets.${name}`))).toContain(text);
      return at;
    });

    expect(places.length).toBeGreaterThan(0);

    for (const place of places) expect(place).toMatch(/^jobs\.\w+\.steps\.\d+\.env\.[A-Z_]+$/);
    const installs = steps(file).filter(({ run }) => run?.includes("npm ci"));
    for (const { env, run } of installs) {
      expect(env).toBeUndefined();
      // A script could prepare something that a later step runs with secrets.
      expect(run).toMatch(/^npm ci --ignore-scripts/);
    }
  });

  it("uses every input, and no other", () => {
    const used = JSON.stringify(parsed).matchAll(/\binputs\.([\w-]+)/g);
    const names = new Set([...used].map(([, name]) => name));

    expect([...names].sort()).toEqual(Object.keys(called.inputs).sort());
  });

  it("is called by an example that gives it what it needs, in some ten lines", () => {
    const [job, ...others] = Object.values(workflow(file, callers).jobs);
    const { version, repository } = require("../../package.json");
    const [, slug] = /github\.com\/(.*)\.git$/.exec(repository.url) ?? [];

    expect(others).toEqual([]);
    expect(job).toEqual({
      uses: `${slug}/.github/workflows/${file}@v${version}`,
      permissions: parsed.permissions,
      with: { stacks: '["staging", "prod"]', domains: "--all" },
      secrets: Object.fromEntries(
        SECRETS.slice(0, 2).map((name) => [name, expression(`secrets.${name}`)]),
      ),
    });

    expect(read(`github/${file}`).split("\n").length).toBeLessThan(20);
  });
});

it.each([
  ["", "skips=true\n", /^::notice::Skipped, because Dependabot has no secret \w+: add .*\n$/],
  ["token", undefined, /^$/],
])(
  "a pull request of Dependabot is skipped if its token is %j, with one line that says why and how",
  async (token, output, line) => {
    const { jobs } = workflow("preview.yml");
    const file = path.join(temporaryDirectory(), "output");
    const ran = await new Clone().run(step("preview.yml", "Secrets"), {
      DOMAIN_MONITORING_API_TOKEN: token,
      GITHUB_OUTPUT: file,
    });

    expect(jobs.dependabot?.if).toBe("github.actor == 'dependabot[bot]'");
    expect(ran).toEqual({ code: 0, printed: expect.stringMatching(line) });
    expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(output);
  },
);

it.each([
  ...reusableWorkflows.map((file) => path.join(ownWorkflows, file)),
  path.join(root, "templates/pipeline.yml"),
  path.join(root, "examples/gitops/deployments/deploy.yaml"),
])("%s contains no token and no destination", (file) => {
  expect(readFileSync(file, "utf8")).not.toMatch(
    /hooks\.slack\.com|@example|Bearer|pul-[0-9a-f]{10}|ghp_|glpat-/,
  );
});

it("the examples call each at its time", () => {
  const occasions = reusableWorkflows.map((file) => [file, workflow(file, callers).on]);
  expect(Object.fromEntries(occasions)).toEqual({
    "preview.yml": "pull_request",
    "deploy.yml": { push: { branches: ["main"] } },
    "nightly.yml": { schedule: [{ cron: expect.any(String) }], workflow_dispatch: null },
  });
});

describe("GitHub's workflow parser", () => {
  const check = (...files: string[]) => {
    const script = path.join(__dirname, "support/check-workflows.mjs");
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...files], {
      encoding: "utf8",
    });

    return { status, printed: stdout + stderr };
  };

  it("finds no problems in the example pipelines and this repository's workflows", () => {
    expect(check(...all.map(({ shown }) => path.join(root, shown)))).toEqual({
      status: 0,
      printed: "",
    });
  });

  it("detects a value that is misspelled", () => {
    const file = path.join(temporaryDirectory(), "wrong.yml");
    const text = readFileSync(path.join(ownWorkflows, "preview.yml"), "utf8");
    writeFileSync(file, text.replace("vars.PULUMI_BACKEND_URL", "var.PULUMI_BACKEND_URL"));
    expect(check(file)).toEqual({
      status: 1,
      printed: expect.stringContaining("Unrecognized named-value: 'var'"),
    });
  });
});

/** Paths of the values that hold an expression of this kind. */
function expressions(
  value: unknown,
  kind: string,
  at: string[] = [],
): { at: string; text: string }[] {
  if (typeof value === "string")
    return value.includes(`\${{ ${kind}`) ? [{ at: at.join("."), text: value }] : [];

  if (typeof value !== "object" || value === null) return [];

  return Object.entries(value).flatMap(([key, inner]) => expressions(inner, kind, [...at, key]));
}
