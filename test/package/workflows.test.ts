/**
 * The jobs of the repository's own workflows, which cannot run here. test/gitops/workflows.test.ts
 * has the rules for every workflow.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { root } from "../gitops/support/copy";
import { ownWorkflows, steps as stepsIn, workflow as workflowIn } from "../gitops/support/files";

const workflow = (file: string) => workflowIn(file, ownWorkflows);
const steps = (file: string) => stepsIn(file, ownWorkflows);
const files = readdirSync(ownWorkflows);
const manifest: { engines: { node: string } } = require("../../package.json");

it("the workflows are these four, each for its occasions", () => {
  const occasions = files.sort().map((file) => [file, Object.keys(workflow(file).on).join(" ")]);
  expect(Object.fromEntries(occasions)).toEqual({
    "ci.yml": "push pull_request",
    "engine.yml": "push pull_request schedule workflow_dispatch",
    "matrix.yml": expect.stringContaining("workflow_call"),
    "release.yml": "push",
  });
  expect(workflow("ci.yml").on).toEqual({ push: { branches: ["main"] }, pull_request: null });
  expect(workflow("release.yml").on).toEqual({ push: { tags: ["v*"] } });
});

it.each(files)("%s uses no secret, and only jobs that publish may write", (file) => {
  const { permissions, jobs } = workflow(file);
  expect(JSON.stringify(workflow(file))).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
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

it.each(["ci.yml", "release.yml"])("%s tests three Node versions as the README says", (file) => {
  const { test } = workflow(file).jobs;
  expect(test?.strategy?.matrix.node).toEqual([20, 22, 24]);
  expect(manifest.engines.node).toMatch(/^>=20\./);
  expect(test?.steps?.flatMap(({ run }) => run ?? [])).toEqual(["npm ci", "npm test"]);
});

it("every change is tested with the recorded version of the real engine, and every week with the latest", () => {
  const install = steps("engine.yml").find(({ uses }) => uses?.startsWith("pulumi/actions@"));
  const {
    engine,
  }: { engine: string } = require("../../packages/pulumi-offline/test/parity/recorded.json");

  expect(install?.with).toEqual({
    "pulumi-version": `\${{ github.event_name == 'schedule' && 'latest' || '${engine}' }}`,
  });

  const runs = steps("engine.yml").flatMap((step) => (step.run ? [[step.run, step.if]] : []));
  expect(runs).toContainEqual(["npm run test:engine", "github.event_name != 'schedule'"]);
  expect(runs).toContainEqual(["npm run test:all", "github.event_name == 'schedule'"]);
});

it("each cell of the matrix is one that the script knows", () => {
  const { include } = workflow("matrix.yml").jobs.cell?.strategy?.matrix ?? {};
  const rows = include as { cell: string }[];
  expect(rows.length).toBeGreaterThan(20);

  const script = `import { cellOf } from ${JSON.stringify(path.join(root, "scripts/release/cell.mjs"))};
    for (const { cell } of ${JSON.stringify(rows)})
      cellOf((cell.match(/"[^"]*"|\\S+/g) ?? []).map((word) => word.replaceAll('"', "")));`;

  execFileSync(process.execPath, ["--input-type=module", "--eval", script], { stdio: "pipe" });
});

describe("a release", () => {
  const { jobs } = workflow("release.yml");
  const commands = (job: string) => jobs[job]?.steps?.flatMap(({ run }) => run ?? []);
  const publishing = Object.keys(jobs).filter((name) => jobs[name]?.permissions);

  it("is built once after the tests, by a job that can only read", () => {
    expect(jobs.build).toMatchObject({
      needs: ["test", "test-engine", "test-release", "test-standalone", "matrix", "rehearse"],
    });
    expect(jobs.build?.permissions).toBeUndefined();
    expect(commands("test-release")).toContain("npm run release -- test");
    expect(jobs["test-release"]?.strategy?.matrix.node).toEqual([20, 22, 24]);
    expect(commands("test-standalone")).toContain("npm run release -- standalone");
    expect(commands("rehearse")).toContain("npm run release -- rehearse");
    expect(jobs.matrix).toEqual({ uses: "./.github/workflows/matrix.yml" });
    expect(commands("build")).toContain("npm ci --ignore-scripts");
  });

  it("needs an approval, and publishes what was built with provenance and in order", () => {
    expect(jobs.publish).toMatchObject({ needs: "build", environment: "npm" });
    expect(jobs.plugin).toMatchObject({ needs: "publish" });

    const later = publishing.filter((name) => name.startsWith("sdk-"));
    for (const name of later) expect(jobs[name]?.needs).toBe("plugin");
    for (const name of publishing)
      expect(commands(name)?.join("\n")).not.toMatch(/npm (ci|install|run)/);

    const provenance = jobs.publish?.steps?.flatMap(({ env }) => env?.NPM_CONFIG_PROVENANCE ?? []);
    expect(provenance).toEqual([true]);

    const publish = commands("publish")?.join("\n");
    expect(publish?.match(/dist-release\/[a-z-]+(?=-\$)/g)).toEqual([
      "dist-release/domain-monitoring-emulator",
      "dist-release/pulumi-offline",
      "dist-release/pulumi-domain-monitoring",
    ]);

    const attested = jobs.plugin?.steps?.find(({ uses }) =>
      uses?.startsWith("actions/attest-build-provenance@"),
    );

    expect(attested?.with).toEqual({ "subject-path": "dist-release/*" });
  });

  it("publishes SDKs only where the owner has set a name for each", () => {
    const conditions = Object.entries(jobs).flatMap(([name, job]) =>
      job.if ? [[name, job.if]] : [],
    );

    expect(Object.fromEntries(conditions)).toEqual({
      "sdk-npm": "vars.NPM_SDK != ''",
      "sdk-python": "vars.PYPI_PROJECT != ''",
      "sdk-go": "vars.GO_MODULE != ''",
      "sdk-dotnet": "vars.NUGET_SOURCE != ''",
    });
  });
});
