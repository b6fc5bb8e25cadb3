/** GitLab, Pulumi Deployments and the Kubernetes operator: the structure that each of them asks for. */
import { onGitLab } from "./support/clone";
import { load, loadAll, read } from "./support/files";

type Fields = Record<string, unknown>;

it.each(["gitlab/.gitlab-ci.yml", "deployments/deploy.yaml"])("%s contains no secret", (file) => {
  expect(read(file)).not.toMatch(/hooks\.slack\.com|Bearer|pul-[0-9a-f]{10}|glpat-/);
});

describe("the pipeline for GitLab", () => {
  const {
    stages,
    workflow,
    ".stacks": stacks,
    ".recorded": recorded,
    default: common,
    variables,
    ...jobs
  } = load<Record<string, Fields> & { stages: unknown }>("gitlab/.gitlab-ci.yml");

  it("has the three jobs, each for its kind of pipeline", () => {
    expect(Object.keys(jobs)).toEqual(["preview", "up", "nightly"]);
    expect(Object.values(jobs).map(({ stage }) => stage)).toEqual(stages);
    expect(Object.values(jobs).map(({ rules }) => rules)).toEqual([
      [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }],
      [{ if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }],
      [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }],
    ]);
    expect(workflow).toEqual({ rules: expect.any(Array) });
    for (const { script } of Object.values(jobs))
      for (const line of script as unknown[]) expect(typeof line).toBe("string");
    expect(typeof recorded).toBe("string");
    expect(variables).toMatchObject({ DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" });
  });

  it("runs each job once for each stack, and one at a time of those that change something", () => {
    expect(stacks).toEqual({ parallel: { matrix: [{ PULUMI_STACK: ["prod"] }] } });
    for (const job of Object.values(jobs)) expect(job.extends).toBe(".stacks");
    expect(jobs.up?.resource_group).toBe("domain-monitoring-$PULUMI_STACK");
    expect(jobs.nightly?.resource_group).toBe("domain-monitoring-nightly-$PULUMI_STACK");
  });

  it("never retries or cancels an up", () => {
    expect(common?.retry).toBe(0);
    expect(jobs.up?.interruptible).toBe(false);
    expect(jobs.preview?.interruptible).toBe(true);
  });

  it("installs from a cache, and without the packages' scripts", () => {
    expect(common?.cache).toEqual({ key: { files: ["package-lock.json"] }, paths: [".npm/"] });
    const installs = onGitLab("default", "before_script").match(/npm ci.*/g) ?? [];
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain("npm ci --ignore-scripts");
    expect(installs[0]).toContain("--cache .npm --prefer-offline");
  });
});

it("the settings for Pulumi Deployments have only keys of the documented interface, and remediate no drift", () => {
  expect(load("deployments/deploy.yaml")).toEqual({
    settings: {
      sourceContext: { git: { branch: "refs/heads/main", repoDir: "." } },
      gitHub: {
        repository: expect.any(String),
        previewPullRequests: true,
        deployCommits: true,
        pullRequestTemplate: false,
        paths: ["**"],
      },
      operationContext: {
        preRunCommands: expect.any(Array),
        environmentVariables: {
          DOMAIN_MONITORING_BASE_URL: expect.stringMatching(/^https:/),
          DOMAIN_MONITORING_TIMEOUT_SECONDS: "300",
          DOMAIN_IDS: expect.any(String),
        },
        options: {
          skipInstallDependencies: true,
          skipIntermediateDeployments: true,
          deleteAfterDestroy: false,
          remediateIfDriftDetected: false,
        },
      },
    },
  });
});

describe("the manifests for Kubernetes", () => {
  interface Manifest {
    kind: string;
    metadata: { name: string; namespace?: string };
    spec: Fields;
    subjects?: object[];
    stringData?: Record<string, string>;
  }
  const [namespace, account, binding, stack] = loadAll<Manifest>("kubernetes/stack.yaml");
  const [secret] = loadAll<Manifest>("kubernetes/secret.yaml");
  const name = secret?.metadata.name;
  const literal = (value: unknown) => ({ type: "Literal", literal: { value } });
  const kept = (key: string) => ({ type: "Secret", secret: { name, key } });

  it("have one namespace, and an account that may do what the stack needs", () => {
    expect(binding?.subjects).toEqual([{ kind: "ServiceAccount", ...account?.metadata }]);
    for (const { metadata } of [account, stack, secret] as Manifest[])
      expect(metadata.namespace).toBe(namespace?.metadata.name);
  });

  it("declare a stack by the fields of the operator, with every secret from the Secret, that nothing destroys", () => {
    expect(stack).toMatchObject({ apiVersion: "pulumi.com/v1", kind: "Stack" });
    expect(stack?.spec).toEqual({
      serviceAccountName: account?.metadata.name,
      stack: expect.any(String),
      projectRepo: expect.stringMatching(/^https:/),
      branch: "refs/heads/main",
      repoDir: ".",
      shallow: true,
      backend: expect.any(String),
      envRefs: {
        DOMAIN_MONITORING_BASE_URL: literal(expect.stringMatching(/^https:/)),
        DOMAIN_MONITORING_TIMEOUT_SECONDS: literal("300"),
        DOMAIN_MONITORING_API_TOKEN: kept("api-token"),
        PULUMI_CONFIG_PASSPHRASE: kept("passphrase"),
      },
      config: { "my-domains:domainId": expect.any(String) },
      secretsRef: { "my-domains:slackUrl": kept("slack-url") },
      refresh: false,
      continueResyncOnCommitMatch: true,
      resyncFrequencySeconds: expect.any(Number),
      retryMaxBackoffDurationSeconds: 86_400,
      destroyOnFinalize: false,
      workspaceTemplate: expect.any(Object),
    });
    // The operator refuses a shorter one.
    expect(stack?.spec.resyncFrequencySeconds).toBeGreaterThanOrEqual(60);
    const placeholder = "replace-me";
    expect(secret?.stringData).toEqual({
      "api-token": placeholder,
      passphrase: placeholder,
      "slack-url": placeholder,
    });
  });
});
