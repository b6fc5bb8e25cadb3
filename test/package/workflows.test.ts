/** The repository's own workflows, as a security reviewer reads them. They cannot run here. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { yaml } from "../support/yaml";

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  env?: Record<string, string>;
}

interface Job {
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
const manifest: {
  engines: { node: string };
  scripts: Record<string, string>;
} = require("../../package.json");

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

  it("can only read the repository, and only the two jobs that publish can request an identity token", () => {
    expect(permissions).toEqual({ contents: "read" });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions);
    expect(Object.fromEntries(more.map(([name, job]) => [name, job.permissions]))).toEqual(
      file === "release.yml"
        ? {
            publish: { contents: "read", "id-token": "write" },
            plugin: { contents: "write", "id-token": "write", attestations: "write" },
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
    expect([...used].sort()).toEqual([
      ...(file === "release.yml" ? ["actions/attest-build-provenance@v3"] : []),
      "actions/checkout@v7",
      "actions/setup-node@v7",
      ...(file === "ci.yml" ? [] : ["pulumi/actions@v7"]),
    ]);
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
  const publish = workflow("release.yml").jobs.publish;

  it("needs the tests and an approval, and runs no install scripts", () => {
    expect(publish).toMatchObject({ needs: ["test", "test-release"], environment: "npm" });
    const commands = publish?.steps.flatMap(({ run }) => run ?? []);
    expect(commands?.[0]).toBe("npm ci --ignore-scripts");
    expect(commands?.at(-1)).toBe("npm publish --provenance --access public");
    expect(commands).toContain('npm run release -- check "$GITHUB_REF_NAME"');
  });

  it("needs the tests that take too long for every change", () => {
    const commands = workflow("release.yml").jobs["test-release"]?.steps.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(["npm ci", "npm run release -- test"]);
  });

  it("builds what it publishes", () => {
    expect(manifest.scripts.prepack).toBe("npm run build");
  });

  it("offers the plugin's tarballs once the package is out, with checksums and provenance, and runs no installation script", () => {
    const { needs, steps } = workflow("release.yml").jobs.plugin ?? { steps: [] };
    expect(needs).toBe("publish");
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.slice(0, 3)).toEqual([
      "npm ci --ignore-scripts",
      "npm run build:plugin",
      "sha256sum -- *.tar.gz > SHA256SUMS",
    ]);
    const attest = steps.find(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
    expect(attest?.with).toEqual({ "subject-path": "dist-release/*.tar.gz" });
    expect(commands.at(-1)).toMatch(/^gh release create "\$GITHUB_REF_NAME" .* -- \*\.tar\.gz SHA256SUMS$/);
  });
});
