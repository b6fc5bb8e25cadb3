/** The repository's own workflows, as a security reviewer reads them. They cannot run here. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { yaml } from "../support/yaml";

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  env?: Record<string, unknown>;
}

interface Job {
  if?: string;
  needs?: string | string[];
  environment?: string;
  permissions?: Record<string, string>;
  "timeout-minutes": number;
  strategy?: { matrix: { node: number[] } };
  steps: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const directory = path.join(__dirname, "../../.github/workflows");

function text(file: string): string {
  return readFileSync(path.join(directory, file), "utf8");
}

function workflow(file: string): Workflow {
  return yaml.load(text(file)) as Workflow;
}

const files = readdirSync(directory);
const manifest: { engines: { node: string } } = require("../../package.json");

it("the workflows are these three", () => {
  expect(files.sort()).toEqual(["ci.yml", "engine.yml", "release.yml"]);
  expect(Object.keys(workflow("engine.yml").on)).toEqual([
    "push",
    "pull_request",
    "schedule",
    "workflow_dispatch",
  ]);
  expect(workflow("ci.yml").on).toEqual({ push: { branches: ["main"] }, pull_request: null });
  expect(workflow("release.yml").on).toEqual({ push: { tags: ["v*"] } });
});

describe.each(files)("the workflow %s", (file) => {
  const { permissions, jobs } = workflow(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("can only read the repository, and each job that publishes can do one thing more", () => {
    expect(permissions).toEqual({ contents: "read" });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions);
    expect(Object.fromEntries(more.map(([name, job]) => [name, job.permissions]))).toEqual(
      file === "release.yml"
        ? {
            publish: { "id-token": "write" },
            plugin: { contents: "write", "id-token": "write", attestations: "write" },
            "sdk-npm": { "id-token": "write" },
            "sdk-python": { "id-token": "write" },
            "sdk-go": { contents: "write" },
            "sdk-dotnet": { "id-token": "write" },
          }
        : {},
    );
  });

  it("leaves no credentials in the work tree, and every job has a time-out", () => {
    for (const { uses, with: settings } of steps)
      if (uses?.startsWith("actions/checkout@")) expect(settings).toEqual({ "persist-credentials": false });
    // Mutation testing takes an hour where the machine is slow.
    for (const [name, job] of Object.entries(jobs))
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(name === "test-release" ? 180 : 30);
  });

  it("uses few actions, each with a pinned major version", () => {
    const used = new Set(steps.flatMap(({ uses }) => uses ?? []));
    const inRelease = [
      "NuGet/login@v1",
      "actions/attest-build-provenance@v3",
      "actions/download-artifact@v8",
      "actions/upload-artifact@v7",
      "pypa/gh-action-pypi-publish@release/v1",
    ];
    const expected = [
      "actions/checkout@v7",
      "actions/setup-node@v7",
      ...(file === "ci.yml" ? [] : ["pulumi/actions@v7"]),
      ...(file === "release.yml" ? inRelease : []),
    ];
    expect([...used].sort()).toEqual(expected.sort());
  });

  it("puts no expression into a script, as a tag name could become a command", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    expect(text(file)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|pull_request_target/);
  });
});

it.each(["ci.yml", "release.yml"])(
  "%s tests on the oldest supported Node version and two newer ones, with the README's command",
  (file) => {
    const { test } = workflow(file).jobs;
    expect(test?.strategy?.matrix.node).toEqual([20, 22, 24]);
    expect(manifest.engines.node).toMatch(/^>=20\./);
    expect(test?.steps.flatMap(({ run }) => run ?? [])).toEqual(["npm ci", "npm test"]);
  },
);

it("every change is tested with the recorded version of the real engine, and every week with the latest", () => {
  const steps = workflow("engine.yml").jobs.engine?.steps ?? [];
  const install = steps.find(({ uses }) => uses?.startsWith("pulumi/actions@"));
  const { engine }: { engine: string } = require("../testing/parity/recorded.json");
  expect(install?.with).toEqual({
    "pulumi-version": `\${{ github.event_name == 'schedule' && 'latest' || '${engine}' }}`,
  });
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual(
    expect.arrayContaining(["npm run release -- engine"]),
  );
});

describe("a release", () => {
  const { jobs } = workflow("release.yml");
  const commands = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []);
  const publishing = Object.keys(jobs).filter((name) => jobs[name]?.permissions);

  it("is built once, after the tests, by a job that can only read and runs no installation script", () => {
    expect(jobs.build).toMatchObject({ needs: ["test", "test-release"] });
    expect(jobs.build?.permissions).toBeUndefined();
    expect(commands("test-release")).toContain("npm run release -- test");
    expect(commands("build")).toContain("npm ci --ignore-scripts");
  });

  it("needs an approval, and publishes with provenance what was built, in order: package, plugin, SDKs", () => {
    expect(jobs.publish).toMatchObject({ needs: "build", environment: "npm" });
    expect(jobs.plugin).toMatchObject({ needs: "publish" });
    const later = publishing.filter((name) => name.startsWith("sdk-"));
    for (const name of later) expect(jobs[name]?.needs).toBe("plugin");
    for (const name of publishing) expect(commands(name)?.join("\n")).not.toMatch(/npm (ci|install|run)/);
    const asked = jobs.publish?.steps.flatMap(({ env }) => env?.NPM_CONFIG_PROVENANCE ?? []);
    expect(asked).toEqual([true]);
  });

  it("attests where each file was built", () => {
    const attest = jobs.plugin?.steps.find(({ uses }) =>
      uses?.startsWith("actions/attest-build-provenance@"),
    );
    expect(attest?.with).toEqual({ "subject-path": "dist-release/*" });
  });

  it("publishes SDKs only where the owner has set a name for each", () => {
    const conditions = Object.entries(jobs).flatMap(([name, job]) => (job.if ? [[name, job.if]] : []));
    expect(Object.fromEntries(conditions)).toEqual({
      "sdk-npm": "vars.NPM_SDK != ''",
      "sdk-python": "vars.PYPI_PROJECT != ''",
      "sdk-go": "vars.GO_MODULE != ''",
      "sdk-dotnet": "vars.NUGET_SOURCE != ''",
    });
  });
});
