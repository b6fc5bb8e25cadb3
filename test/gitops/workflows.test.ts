/** The workflow files as GitHub and a security reviewer read them. */
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../support/temporary";
import { root } from "./support/copy";
import { gitops, read, steps, workflow, workflowFiles } from "./support/files";

describe.each(workflowFiles)("the workflow %s", (file) => {
  const parsed = workflow(file);

  it("has only the permissions it needs", () => {
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

  it("never runs code of a fork with access to secrets", () => {
    expect(Object.keys(parsed.on)).not.toContain("pull_request_target");
    if ("pull_request" in parsed.on) {
      for (const job of Object.values(parsed.jobs)) {
        expect(job.if).toBe("github.event.pull_request.head.repo.full_name == github.repository");
      }
    }
  });

  it("runs one job at a time, and cancels only previews", () => {
    expect(parsed.concurrency.group).toMatch(/^domain-monitoring-/);
    expect(parsed.concurrency["cancel-in-progress"]).toBe(file === "pull-request.yml");
    for (const job of Object.values(parsed.jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
  });

  it("uses actions with a pinned major version", () => {
    const [checkout, node, pulumi] = ["actions/checkout@v7", "actions/setup-node@v7", "pulumi/actions@v7"];
    for (const [name, job] of Object.entries(parsed.jobs)) {
      const used = job.steps.flatMap(({ uses }) => uses ?? []);
      expect(used).toEqual(name === "report" ? [checkout, node] : [checkout, node, pulumi]);
    }
  });

  it("passes a secret only to the environment of the steps that need it", () => {
    const places = expressions(parsed, "secrets.").map(({ at, text }) => {
      expect(text).toMatch(/^\$\{\{ secrets\.[A-Z_]+ \}\}$/);
      return at;
    });
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toMatch(/^jobs\.\w+\.steps\.\d+\.env\.[A-Z_]+$/);
    const installs = steps(file).filter(({ run }) => run?.startsWith("npm ci"));
    for (const { env } of installs) expect(env).toBeUndefined();
  });

  it("puts no expression into a script, as a title or a branch name could become a command", () => {
    for (const { run = "" } of steps(file)) expect(run).not.toContain("${{");
    expect(parsed.defaults.run.shell).toBe("bash");
  });

  it("contains no token and no destination", () => {
    expect(read(path.join("github", file))).not.toMatch(
      /hooks\.slack\.com|@example|Bearer|pul-[0-9a-f]{10}|ghp_/,
    );
  });
});

it("the workflows contain all three jobs", () => {
  expect(workflowFiles.sort()).toEqual(["main.yml", "nightly.yml", "pull-request.yml"]);
  expect(workflow("nightly.yml").on).toEqual({
    schedule: [{ cron: expect.any(String) }],
    workflow_dispatch: null,
  });
  expect(workflow("main.yml").on).toEqual({ push: { branches: ["main"] } });
});

it("the nightly job says what it cannot detect", () => {
  expect(read("github/nightly.yml")).toMatch(/cannot prove.*NOT found/s);
  expect(read("gitlab/.gitlab-ci.yml")).toMatch(/cannot prove.*NOT found/s);
});

describe("GitHub's workflow parser", () => {
  const check = (...files: string[]) => {
    const script = path.join(root, "scripts/check-workflows.mjs");
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...files], { encoding: "utf8" });
    return { status, printed: stdout + stderr };
  };

  it("finds no problems in the example pipelines and this repository's workflows", () => {
    const own = path.join(root, ".github/workflows");
    const files = [
      ...workflowFiles.map((file) => path.join(gitops, "github", file)),
      ...readdirSync(own).map((file) => path.join(own, file)),
    ];
    expect(check(...files)).toEqual({ status: 0, printed: "" });
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

const expression = (text: string) => `\${{ ${text} }}`;

describe("the assumptions of the rehearsal about GitHub", () => {
  it.each(workflowFiles)("in %s each setting has the name of its variable", (file) => {
    for (const kind of ["vars", "secrets"]) {
      for (const { at, text } of expressions(workflow(file), `${kind}.`))
        expect(text).toBe(expression(`${kind}.${at.split(".").at(-1)}`));
    }
  });

  it("steps run after a failure only if they say so", () => {
    const conditions = workflowFiles.flatMap((file) =>
      steps(file).flatMap(({ name, if: when }) => (when ? `${file}, ${name}: ${when}` : [])),
    );
    const after = expression("!cancelled() && steps.preview.outcome != 'skipped'");
    expect(conditions.sort()).toEqual([
      "main.yml, Install the policy pack: env.POLICY_PACK != ''",
      `pull-request.yml, Comment: ${after}`,
      `pull-request.yml, Expiry: ${after}`,
      "pull-request.yml, Install the policy pack: env.POLICY_PACK != ''",
    ]);
  });

  it("the outputs of a step are used by later ones", () => {
    const codes = Object.fromEntries(
      ["drift", "expiry", "report"].map((id) => [id.toUpperCase(), expression(`steps.${id}.outputs.code`)]),
    );
    for (const name of ["Issue", "Result"])
      expect(steps("nightly.yml").find((step) => step.name === name)?.env).toMatchObject(codes);
    for (const name of ["Drift", "Expiry", "Report"])
      expect(steps("nightly.yml").find((step) => step.name === name)?.id).toBe(name.toLowerCase());
    expect(steps("pull-request.yml").find(({ name }) => name === "Preview")?.id).toBe("preview");
    expect(steps("pull-request.yml").find(({ name }) => name === "Comment")?.env).toMatchObject({
      OUTCOME: expression("steps.preview.outcome"),
      PULL_REQUEST: expression("github.event.pull_request.number"),
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
