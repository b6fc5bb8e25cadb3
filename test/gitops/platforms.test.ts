/** GitLab, Pulumi Deployments and the Kubernetes operator: when each runs what, with which secrets, and what it never does. */
import { onGitLab } from "./support/clone";
import { load, loadAll } from "./support/files";

type Fields = Record<string, unknown>;

describe("the pipeline for GitLab", () => {
  const {
    stages,
    default: common,
    variables,
    ...parts
  } = load<Record<string, Fields> & { stages: unknown }>("gitlab/.gitlab-ci.yml");
  const { preview, up, nightly } = parts;

  it("has three jobs, each for its kind of pipeline, once for each stack", () => {
    const jobs = [preview, up, nightly];
    expect(jobs.map((job) => job?.stage)).toEqual(stages);
    expect(jobs.map((job) => job?.rules)).toEqual([
      [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }],
      [{ if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }],
      [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }],
    ]);
    expect(parts[".stacks"]).toEqual({ parallel: { matrix: [{ PULUMI_STACK: ["prod"] }] } });
    for (const job of jobs) expect(job?.extends).toBe(".stacks");
    expect(variables).toMatchObject({ DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" });
  });

  it("runs one up of a stack at a time, and never retries or cancels it", () => {
    expect(common?.retry).toBe(0);
    expect(up).toMatchObject({ resource_group: "domain-monitoring-$PULUMI_STACK", interruptible: false });
    expect(preview?.interruptible).toBe(true);
    expect(nightly?.resource_group).toBe("domain-monitoring-nightly-$PULUMI_STACK");
  });

  it("installs without the packages' scripts", () => {
    const installs = onGitLab("default", "before_script").match(/npm ci.*/g) ?? [];
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain("npm ci --ignore-scripts");
  });
});

it("the settings for Pulumi Deployments preview and deploy, wait for a rate limit, and remediate and delete nothing", () => {
  expect(load("deployments/deploy.yaml")).toMatchObject({
    settings: {
      gitHub: { previewPullRequests: true, deployCommits: true, pullRequestTemplate: false },
      operationContext: {
        environmentVariables: { DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" },
        options: {
          skipInstallDependencies: true,
          deleteAfterDestroy: false,
          remediateIfDriftDetected: false,
        },
      },
    },
  });
});

it("the manifests for Kubernetes have one namespace, every secret from the Secret, and a stack that nothing destroys", () => {
  interface Manifest {
    metadata: { name: string; namespace?: string };
    spec: Fields;
    subjects?: object[];
    stringData?: Record<string, string>;
  }
  const [namespace, account, binding, stack] = loadAll<Manifest>("kubernetes/stack.yaml");
  const [secret] = loadAll<Manifest>("kubernetes/secret.yaml");
  expect(binding?.subjects).toEqual([{ kind: "ServiceAccount", ...account?.metadata }]);
  for (const one of [account, stack, secret]) expect(one?.metadata.namespace).toBe(namespace?.metadata.name);

  const keys = ["api-token", "passphrase", "slack-url"];
  expect(secret?.stringData).toEqual(Object.fromEntries(keys.map((key) => [key, "replace-me"])));
  const [apiToken, passphrase, slackUrl] = keys.map((key) => ({
    type: "Secret",
    secret: { name: secret?.metadata.name, key },
  }));
  expect(stack?.spec).toMatchObject({
    serviceAccountName: account?.metadata.name,
    envRefs: {
      DOMAIN_MONITORING_TIMEOUT_SECONDS: { type: "Literal", literal: { value: "300" } },
      DOMAIN_MONITORING_API_TOKEN: apiToken,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
    },
    secretsRef: { "my-domains:slackUrl": slackUrl },
    continueResyncOnCommitMatch: true,
    destroyOnFinalize: false,
  });
  // The operator refuses a shorter one.
  expect(stack?.spec.resyncFrequencySeconds).toBeGreaterThanOrEqual(60);
});
