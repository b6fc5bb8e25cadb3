/**
 * GitLab, Pulumi Deployments and the Kubernetes operator: when each runs its jobs, with which
 * secrets, and what it never does.
 */
import { onGitLab } from "./support/clone";
import { component, load, loadAll } from "./support/files";

type Fields = Record<string, unknown>;

describe("the component for GitLab", () => {
  const { ".domain-monitoring": common, ...jobs } = component();
  const { "report:domains": report, "preview:domains": preview, "deploy:domains": deploy } = jobs;
  const on = (condition: string) => ({ if: condition });
  const mergeRequest = on('$CI_PIPELINE_SOURCE == "merge_request_event"');
  const schedule = on('$CI_PIPELINE_SOURCE == "schedule"');
  const atNight = { CACHE: "pull-push", PREVIOUS: "--previous previous.json" };
  const main = on('$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH');

  it("has one report, and its other jobs for each stack", () => {
    const when = Object.entries(jobs).map(([name, { rules, parallel }]) => [
      name,
      { rules, parallel },
    ]);

    const parallel = { matrix: [{ PULUMI_STACK: ["staging", "prod"] }] };

    expect(Object.fromEntries(when)).toEqual({
      "report:domains": { rules: [mergeRequest, { ...schedule, variables: atNight }] },
      "preview:domains": { rules: [mergeRequest], parallel },
      "deploy:domains": { rules: [main], parallel },
      "drift:domains": { rules: [schedule], parallel },
    });

    // All jobs share one template, which waits for a rate limit of the service.
    for (const job of Object.values(jobs)) expect(job.extends).toBe(".domain-monitoring");

    expect(common?.variables).toMatchObject({ DOMAIN_MONITORING_TIMEOUT_SECONDS: "300" });
  });

  it("keeps only the report of a night, for the next one", () => {
    expect(report?.variables).toMatchObject({ CACHE: "pull" });
    expect(report?.cache).toMatchObject({
      paths: ["previous.json"],
      when: "always",
      policy: "$CACHE",
    });
  });

  it("can be included for several accounts, each with jobs and variables of its own", () => {
    const other = component({ account: "other", environment: "other-account" });
    const names = Object.keys(other).filter((name) => name !== ".domain-monitoring");

    expect(names.filter((name) => name in jobs)).toEqual([]);

    for (const name of ["report", "preview", "drift"])
      expect(other[`${name}:other`]?.environment).toEqual({
        name: "other-account",
        action: "access",
      });

    expect(other["report:other"]?.cache).not.toEqual(report?.cache);
  });

  it("runs one up of a stack at a time, and never retries or cancels it", () => {
    expect(common?.retry).toBe(0);
    expect(deploy).toMatchObject({
      resource_group: "domain-monitoring-$PULUMI_STACK",
      environment: "$PULUMI_STACK",
      interruptible: false,
    });

    expect(preview?.interruptible).toBe(true);
    expect(jobs["drift:domains"]?.resource_group).toBe("domain-monitoring-nightly-$PULUMI_STACK");
  });

  it("installs without the packages' scripts", () => {
    const installs = onGitLab("default", "before_script").match(/npm ci.*/g) ?? [];

    expect(installs).toHaveLength(2);

    for (const line of installs) expect(line).toContain("npm ci --ignore-scripts");
  });
});

it("the example for GitLab includes the component of this version, with inputs that it has", () => {
  const { version } = require("../../package.json");
  expect(load("gitlab/.gitlab-ci.yml")).toEqual({
    include: [
      {
        component: `$CI_SERVER_FQDN/my-group/pulumi-domain-monitoring/pipeline@${version}`,
        inputs: { stacks: ["staging", "prod"], domains: "--all" },
      },
    ],
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
