/**
 * GitLab, Pulumi Deployments and the Kubernetes operator: when each runs its jobs, with which
 * secrets, and what it never does.
 */
import { gitlabJobs, load, loadAll, read } from "./support/files";

type Fields = Record<string, unknown>;

describe("the pipeline for GitLab", () => {
  const { ".stacks": stacks, ...jobs } = gitlabJobs();
  const { default: common, variables } = load<Record<string, Fields>>("gitlab/.gitlab-ci.yml");
  const mergeRequest = { if: '$CI_PIPELINE_SOURCE == "merge_request_event"' };
  const schedule = { if: '$CI_PIPELINE_SOURCE == "schedule"' };
  const main = { if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' };

  it("has one report, and its other jobs for each stack", () => {
    const when = Object.entries(jobs).map(([name, job]) => [name, [job.rules, job.extends]]);
    expect(stacks).toEqual({ parallel: { matrix: [{ PULUMI_STACK: ["staging", "prod"] }] } });
    expect(Object.fromEntries(when)).toEqual({
      report: [[mergeRequest, schedule], undefined],
      preview: [[mergeRequest], ".stacks"],
      deploy: [[main], ".stacks"],
      drift: [[schedule], ".stacks"],
    });
  });

  it("is short enough to read, and shows the report as a test report", () => {
    expect(read("gitlab/.gitlab-ci.yml").trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    expect(jobs.report?.artifacts).toEqual({
      when: "always",
      paths: ["report.html"],
      reports: { junit: "report.xml" },
    });
  });

  it("runs one up of a stack at a time, and never retries or cancels it", () => {
    expect(common?.retry).toBe(0);
    expect(jobs.deploy).toMatchObject({
      resource_group: "domain-monitoring-$PULUMI_STACK",
      environment: "$PULUMI_STACK",
      interruptible: false,
    });
    expect(jobs.preview?.interruptible).toBe(true);
  });

  it("installs without the packages' scripts, and waits for a rate limit", () => {
    expect(common?.before_script).toEqual(["npm ci --ignore-scripts"]);
    expect(variables).toEqual({ DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" });
  });
});

it("the settings for Pulumi Deployments deploy commits but remediate nothing", () => {
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

it("the manifests for Kubernetes take every secret from the Secret and destroy no stack", () => {
  interface Manifest {
    metadata: { name: string; namespace?: string };
    spec: Fields;
    subjects?: object[];
    stringData?: Record<string, string>;
  }

  const [namespace, account, binding, stack] = loadAll<Manifest>("kubernetes/stack.yaml");
  const [secret] = loadAll<Manifest>("kubernetes/secret.yaml");
  expect(binding?.subjects).toEqual([{ kind: "ServiceAccount", ...account?.metadata }]);

  for (const one of [account, stack, secret])
    expect(one?.metadata.namespace).toBe(namespace?.metadata.name);

  const keys = ["api-token", "passphrase", "email"];
  expect(secret?.stringData).toEqual(Object.fromEntries(keys.map((key) => [key, "replace-me"])));

  const [apiToken, passphrase, email] = keys.map((key) => ({
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
    secretsRef: { "my-domains:email": email },
    continueResyncOnCommitMatch: true,
    destroyOnFinalize: false,
  });

  // The operator refuses a shorter one.
  expect(stack?.spec.resyncFrequencySeconds).toBeGreaterThanOrEqual(60);
});
