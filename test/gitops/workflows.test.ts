/** The workflow files as GitHub and a security reviewer read them. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../support/temporary";
import { root } from "./support/copy";
import { expression, gitops, ownWorkflows, read, steps, workflow, workflowFiles } from "./support/files";

/** Every workflow, of the examples and of this repository. */
const all = [path.join(gitops, "github"), ownWorkflows].flatMap((directory) =>
  readdirSync(directory)
    .filter((file) => file.endsWith(".yml"))
    .map((file) => ({ file, directory, shown: path.relative(root, path.join(directory, file)) })),
);

describe.each(all)("the workflow $shown", ({ file, directory, shown }) => {
  const text = readFileSync(path.join(root, shown), "utf8");
  const { jobs } = workflow(file, directory);

  it("leaves no credentials in the work tree, and every job has a time-out", () => {
    for (const { uses, with: settings } of steps(file, directory))
      if (uses?.startsWith("actions/checkout@")) expect(settings).toEqual({ "persist-credentials": false });
    for (const job of Object.values(jobs))
      if (job.steps) expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
  });

  it("uses actions that are pinned by commit, with the version beside it", () => {
    const lines = text.match(/uses: (?!\.).*/g) ?? [];
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("puts no expression into a script, as a title, a branch or a tag could become a command", () => {
    for (const { run = "" } of steps(file, directory)) expect(run).not.toContain("${{");
    expect(text).not.toMatch(/pull_request_target/);
  });
});

describe.each(workflowFiles)("the workflow %s", (file) => {
  const parsed = workflow(file);

  it("has only the permissions it needs", () => {
    const needs: Record<string, Record<string, string>> = {
      "pull-request.yml": { contents: "read", "pull-requests": "write" },
      "main.yml": { contents: "read" },
      "nightly.yml": { contents: "read", issues: "write" },
    };
    expect(parsed.permissions).toEqual(needs[file]);
    for (const [name, { permissions }] of Object.entries(parsed.jobs))
      expect(permissions).toEqual(name === "up" ? { contents: "read", issues: "write" } : undefined);
  });

  it("never runs code of a fork with access to secrets", () => {
    const own = "github.event.pull_request.head.repo.full_name == github.repository";
    for (const job of Object.values(parsed.jobs))
      expect(job.if).toBe("pull_request" in parsed.on ? own : undefined);
  });

  it("runs once for each stack, one at a time of each, and cancels only previews", () => {
    for (const job of Object.values(parsed.jobs)) {
      expect(job.strategy).toMatchObject({
        "fail-fast": false,
        matrix: { stack: expression("fromJSON(vars.PULUMI_STACKS)") },
      });
      expect(job.env).toEqual({ PULUMI_STACK: expression("matrix.stack") });
      expect(job.concurrency?.group).toMatch(/^domain-monitoring-.*-\$\{\{ matrix\.stack \}\}$/);
      expect(job.concurrency?.["cancel-in-progress"]).toBe(file === "pull-request.yml");
    }
  });

  it("waits for a rate limit of the service, and stops where a command of a pipe fails", () => {
    expect(parsed.env).toMatchObject({ DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" });
    expect(parsed.defaults.run.shell).toBe("bash");
    const used = new Set(steps(file).flatMap(({ uses }) => uses?.replace(/@.*/, "") ?? []));
    expect([...used].sort()).toEqual(["actions/checkout", "actions/setup-node", "pulumi/actions"]);
  });

  it("passes a secret only to the environment of the steps that need it", () => {
    const places = expressions(parsed, "secrets.").map(({ at, text }) => {
      expect(text).toMatch(/^\$\{\{ secrets\.[A-Z_]+ \}\}$/);
      return at;
    });
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toMatch(/^jobs\.\w+\.steps\.\d+\.env\.[A-Z_]+$/);
    const installs = steps(file).filter(({ run }) => run?.includes("npm ci"));
    for (const { env, run } of installs) {
      expect(env).toBeUndefined();
      // A script could plant what a later step runs with secrets.
      expect(run).toMatch(/^npm ci --ignore-scripts/);
    }
  });
});

it.each([
  ...workflowFiles.map((file) => `github/${file}`),
  "gitlab/.gitlab-ci.yml",
  "deployments/deploy.yaml",
])("%s contains no token and no destination", (file) => {
  expect(read(file)).not.toMatch(/hooks\.slack\.com|@example|Bearer|pul-[0-9a-f]{10}|ghp_|glpat-/);
});

it("the workflows contain all three jobs", () => {
  expect(workflowFiles.sort()).toEqual(["main.yml", "nightly.yml", "pull-request.yml"]);
  expect(workflow("nightly.yml").on).toEqual({
    schedule: [{ cron: expect.any(String) }],
    workflow_dispatch: null,
  });
  expect(workflow("main.yml").on).toEqual({ push: { branches: ["main"] } });
});

describe("GitHub's workflow parser", () => {
  const check = (...files: string[]) => {
    const script = path.join(__dirname, "support/check-workflows.mjs");
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...files], { encoding: "utf8" });
    return { status, printed: stdout + stderr };
  };

  it("finds no problems in the example pipelines and this repository's workflows", () => {
    expect(check(...all.map(({ shown }) => path.join(root, shown)))).toEqual({ status: 0, printed: "" });
  });

  it("detects a value that is misspelled", () => {
    const file = path.join(temporaryDirectory(), "wrong.yml");
    writeFileSync(file, read("github/pull-request.yml").replace("vars.PULUMI_STACK", "var.PULUMI_STACK"));
    expect(check(file)).toEqual({
      status: 1,
      printed: expect.stringContaining("Unrecognized named-value: 'var'"),
    });
  });
});

/** Where a text holds an expression of a kind, as a path. */
function expressions(value: unknown, kind: string, at: string[] = []): { at: string; text: string }[] {
  if (typeof value === "string")
    return value.includes(`\${{ ${kind}`) ? [{ at: at.join("."), text: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => expressions(inner, kind, [...at, key]));
}
