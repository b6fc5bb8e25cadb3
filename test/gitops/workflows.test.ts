/** The workflow files as GitHub and a security reviewer read them. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { gitops, read, steps, workflow, workflowFiles } from "./support/files";

describe.each(workflowFiles)("the workflow %s", (file) => {
  const parsed = workflow(file);

  it("may do no more than it needs", () => {
    const needs: Record<string, Record<string, string>> = {
      "pull-request.yml": { contents: "read", "pull-requests": "write" },
      "main.yml": { contents: "read" },
      "nightly.yml": { contents: "read", issues: "write" },
    };
    expect(parsed.permissions).toEqual(needs[file]);
    for (const { uses, with: settings } of steps(file)) {
      if (uses?.startsWith("actions/checkout@")) expect(settings).toEqual({ "persist-credentials": false });
    }
  });

  it("never runs code of a fork with secrets", () => {
    expect(Object.keys(parsed.on)).not.toContain("pull_request_target");
    if ("pull_request" in parsed.on) {
      for (const job of Object.values(parsed.jobs)) {
        expect(job.if).toBe("github.event.pull_request.head.repo.full_name == github.repository");
      }
    }
  });

  it("runs one at a time, and cuts off nothing but a preview", () => {
    expect(parsed.concurrency.group).toMatch(/^domain-monitoring-/);
    expect(parsed.concurrency["cancel-in-progress"]).toBe(file === "pull-request.yml");
    for (const job of Object.values(parsed.jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
  });

  it("uses actions of a pinned major version", () => {
    const used = steps(file).flatMap(({ uses }) => uses ?? []);
    expect(used).toEqual(["actions/checkout@v7", "actions/setup-node@v7", "pulumi/actions@v7"]);
  });

  it("gives a secret to the environment of the steps that need it, and to nothing else", () => {
    const places = expressions(parsed, "secrets.").map(({ at, text }) => {
      expect(text).toMatch(/^\$\{\{ secrets\.[A-Z_]+ \}\}$/);
      return at;
    });
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toMatch(/^jobs\.\w+\.steps\.\d+\.env\.[A-Z_]+$/);
    const installs = steps(file).filter(({ run }) => run?.startsWith("npm ci"));
    for (const { env } of installs) expect(env).toBeUndefined();
  });

  it("puts no expression into a script, where a title or a branch name could become a command", () => {
    for (const { run = "" } of steps(file)) expect(run).not.toContain("${{");
    expect(parsed.defaults.run.shell).toBe("bash");
  });

  it("holds no token and no destination", () => {
    expect(read(path.join("github", file))).not.toMatch(
      /hooks\.slack\.com|@example|Bearer|pul-[0-9a-f]{10}|ghp_/,
    );
  });
});

it("finds all three jobs", () => {
  expect(workflowFiles.sort()).toEqual(["main.yml", "nightly.yml", "pull-request.yml"]);
  expect(workflow("nightly.yml").on).toEqual({
    schedule: [{ cron: expect.any(String) }],
    workflow_dispatch: null,
  });
  expect(workflow("main.yml").on).toEqual({ push: { branches: ["main"] } });
});

it("says in the nightly job what it cannot find out", () => {
  expect(read("github/nightly.yml")).toMatch(/cannot prove.*NOT found/s);
  expect(read("gitlab/.gitlab-ci.yml")).toMatch(/cannot prove.*NOT found/s);
});

const actionlint = spawnSync("actionlint", ["-version"]).status === 0;
(actionlint ? describe : describe.skip)("actionlint", () => {
  it("finds nothing in the workflows", () => {
    const files = workflowFiles.map((file) => path.join(gitops, "github", file));
    const { stdout, stderr, status } = spawnSync("actionlint", ["-no-color", ...files], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

/** Where a text holds an expression of a kind, as a path. */
function expressions(value: unknown, kind: string, at: string[] = []): { at: string; text: string }[] {
  if (typeof value === "string")
    return value.includes(`\${{ ${kind}`) ? [{ at: at.join("."), text: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => expressions(inner, kind, [...at, key]));
}
