/** The workflow files from the view of GitHub and of a security reviewer. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { run } from "../support/run";
import { root } from "./support/copy";
import { copied, expression, ownWorkflows, steps, workflow } from "./support/files";

/** Every workflow, of the examples and of this repository. */
const all = [copied, ownWorkflows].flatMap((directory) =>
  readdirSync(directory)
    .filter((file) => file.endsWith(".yml"))
    .map((file) => ({ file, directory, shown: path.relative(root, path.join(directory, file)) })),
);

describe.each(all)("the workflow $shown", ({ file, directory, shown }) => {
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

const SECRETS = ["DOMAIN_MONITORING_API_TOKEN", "PULUMI_ACCESS_TOKEN"];
const FILES = ["preview.yml", "deploy.yml", "nightly.yml"];
const OWN =
  "github.actor != 'dependabot[bot]' && github.event.pull_request.head.repo.full_name == github.repository";

describe.each(FILES)("the workflow %s, which others copy", (file) => {
  const text = readFileSync(path.join(copied, file), "utf8");
  const parsed = workflow(file);
  const jobs = Object.entries(parsed.jobs).filter(([name]) => name !== "skipped");

  it("is short enough to read", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });

  it("has only the permissions it needs", () => {
    const more = jobs.map(([name, { permissions }]) => [name, permissions]);
    const needs: Record<string, Record<string, object>> = {
      "preview.yml": { preview: { contents: "read", "pull-requests": "write" } },
      "deploy.yml": {},
      "nightly.yml": { report: { contents: "read", issues: "write" } },
    };

    expect(parsed.permissions).toEqual({ contents: "read" });
    expect(Object.fromEntries(more)).toEqual(needs[file]);
  });

  it("reports once, and has its other jobs for each stack", () => {
    for (const [name, { strategy }] of jobs)
      expect(strategy).toEqual(
        name === "report"
          ? undefined
          : { "fail-fast": false, matrix: { stack: ["staging", "prod"] } },
      );
  });

  it("waits for a rate limit of the service, and stops where a command of a pipe fails", () => {
    expect(parsed.env).toMatchObject({ DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" });
    expect(parsed.defaults.run.shell).toBe("bash");
  });

  it("passes a secret only to the environment of the steps that need it", () => {
    const places = expressions(parsed, "secrets.").map(({ at, text: secret }) => {
      expect(SECRETS.map((name) => expression(`secrets.${name}`))).toContain(secret);
      return at;
    });

    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toMatch(/^jobs\.\w+\.steps\.\d+\.env\.[A-Z_]+$/);

    const installs = steps(file).filter(({ run }) => run?.includes("npm ci"));
    expect(installs).toHaveLength(jobs.length);
    for (const { env, run } of installs) {
      expect(env).toBeUndefined();
      // A script could prepare something that a later step runs with secrets.
      expect(run).toBe("npm ci --ignore-scripts");
    }
  });
});

it("a pull request of a fork or of Dependabot is skipped, with the reason", () => {
  const { skipped, ...others } = workflow("preview.yml").jobs;
  for (const { if: condition } of Object.values(others)) expect(condition).toBe(OWN);

  const opposite = OWN.replace("!=", "==").replace("&&", "||").replace("== github", "!= github");
  const run = expect.stringMatching(
    /^echo "::notice::Skipped, because pull requests of forks and of Dependabot get no secrets/,
  );
  expect(skipped?.if).toBe(opposite);
  expect(skipped?.steps).toEqual([{ run }]);
});

it("a preview comments on the pull request by the action, and only previews are cancelled", () => {
  const [action] = steps("preview.yml").filter(({ uses }) => uses?.startsWith("pulumi/actions@"));
  expect(action?.with).toEqual({
    command: "preview",
    "stack-name": expression("matrix.stack"),
    "comment-on-pr": true,
  });

  const cancels = (file: string, job: string) =>
    workflow(file).jobs[job]?.concurrency?.["cancel-in-progress"];

  expect(cancels("preview.yml", "preview")).toBe(true);
  expect(cancels("deploy.yml", "deploy")).toBe(false);
});

it.each([
  ...FILES.map((file) => path.join(copied, file)),
  path.join(root, "examples/gitops/gitlab/.gitlab-ci.yml"),
  path.join(root, "examples/gitops/deployments/deploy.yaml"),
])("%s contains no token and no destination", (file) => {
  expect(readFileSync(file, "utf8")).not.toMatch(
    /hooks\.slack\.com|@example|Bearer|pul-[0-9a-f]{10}|ghp_|glpat-/,
  );
});

it("each workflow runs at its time", () => {
  expect(Object.fromEntries(FILES.map((file) => [file, workflow(file).on]))).toEqual({
    "preview.yml": "pull_request",
    "deploy.yml": { push: { branches: ["main"] } },
    "nightly.yml": { schedule: [{ cron: expect.any(String) }], workflow_dispatch: {} },
  });
});

it("GitHub's workflow parser finds no problems in the example pipelines and this repository's workflows", async () => {
  const script = path.join(__dirname, "support/check-workflows.mjs");
  const files = all.map(({ shown }) => path.join(root, shown));
  const checked = await run(process.execPath, [script, ...files]);
  expect(checked).toMatchObject({ code: 0, output: "" });
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
