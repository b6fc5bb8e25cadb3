/** GitLab, Pulumi Deployments and the Kubernetes operator: the structure that each of them asks for. */
import { onGitLab } from "./support/clone";
import { load, loadAll, read } from "./support/files";

type Fields = Record<string, unknown>;

/** Names of the fields of an object. */
const fieldsOf = (value: unknown) => Object.keys(value ?? {}).sort();

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

describe("the settings for Pulumi Deployments", () => {
  const { settings } = load<{ settings: Record<string, Record<string, Fields>> }>("deployments/deploy.yaml");
  const { gitHub, operationContext, sourceContext } = settings;

  it.each([
    ["settings", settings, ["gitHub", "operationContext", "sourceContext"]],
    ["sourceContext.git", sourceContext?.git, ["branch", "repoDir"]],
    [
      "gitHub",
      gitHub,
      ["deployCommits", "paths", "previewPullRequests", "pullRequestTemplate", "repository"],
    ],
    ["operationContext", operationContext, ["environmentVariables", "options", "preRunCommands"]],
    [
      "operationContext.options",
      operationContext?.options,
      [
        "deleteAfterDestroy",
        "remediateIfDriftDetected",
        "skipInstallDependencies",
        "skipIntermediateDeployments",
      ],
    ],
    [
      "environmentVariables",
      operationContext?.environmentVariables,
      ["DOMAIN_IDS", "DOMAIN_MONITORING_BASE_URL", "DOMAIN_MONITORING_TIMEOUT_SECONDS"],
    ],
  ])("have in %s only keys of the documented interface", (_, value, keys) => {
    expect(fieldsOf(value)).toEqual(keys);
  });

  it("remediate no drift", () => {
    expect(operationContext?.options).toMatchObject({ remediateIfDriftDetected: false });
  });
});

describe("the manifests for Kubernetes", () => {
  interface Reference {
    type: string;
    secret?: { name: string; key: string };
    literal?: { value: string };
  }
  interface Manifest {
    apiVersion: string;
    kind: string;
    metadata: { name: string; namespace?: string };
    spec: Fields & Record<"envRefs" | "secretsRef", Record<string, Reference>>;
    subjects?: { kind: string; name: string; namespace: string }[];
    stringData?: Record<string, string>;
  }
  const manifests = loadAll<Manifest>("kubernetes/stack.yaml");
  const [secret] = loadAll<Manifest>("kubernetes/secret.yaml");
  const [namespace, account, binding, stack] = manifests;

  it("declare a stack from git with an account that has the needed permissions", () => {
    const kinds = ["Namespace", "ServiceAccount", "ClusterRoleBinding", "Stack"];
    expect(manifests.map(({ kind }) => kind)).toEqual(kinds);
    expect(stack?.apiVersion).toBe("pulumi.com/v1");
    expect(stack?.spec.serviceAccountName).toBe(account?.metadata.name);
    expect(binding?.subjects).toEqual([{ kind: "ServiceAccount", ...account?.metadata }]);
    const namespaces = manifests.flatMap(({ metadata }) => metadata.namespace ?? []);
    expect(new Set(namespaces)).toEqual(new Set([namespace?.metadata.name]));
  });

  it("use only the stack fields that the operator defines", () => {
    const project = ["backend", "branch", "config", "projectRepo", "repoDir", "shallow", "stack"];
    const secrets = ["envRefs", "secretsRef", "serviceAccountName", "workspaceTemplate"];
    const runs = ["continueResyncOnCommitMatch", "destroyOnFinalize", "refresh", "resyncFrequencySeconds"];
    const known = [...project, ...secrets, ...runs, "retryMaxBackoffDurationSeconds"];
    expect(fieldsOf(stack?.spec)).toEqual(known.sort());
    expect(stack?.spec).toMatchObject({ destroyOnFinalize: false, refresh: false });
    // The operator refuses a shorter one.
    expect(stack?.spec.resyncFrequencySeconds).toBeGreaterThanOrEqual(60);
  });

  it("take every secret from the Secret beside them", () => {
    const {
      DOMAIN_MONITORING_BASE_URL: address,
      DOMAIN_MONITORING_TIMEOUT_SECONDS: timeout,
      ...others
    } = stack?.spec.envRefs ?? {};
    expect(address).toEqual({ type: "Literal", literal: { value: expect.any(String) } });
    expect(timeout).toEqual({ type: "Literal", literal: { value: "300" } });
    for (const { type, secret: from } of Object.values({ ...others, ...stack?.spec.secretsRef })) {
      expect(type).toBe("Secret");
      expect(from?.name).toBe(secret?.metadata.name);
      expect(fieldsOf(secret?.stringData)).toContain(from?.key);
    }
    expect(secret?.metadata.namespace).toBe(stack?.metadata.namespace);
    expect(new Set(Object.values(secret?.stringData ?? {}))).toEqual(new Set(["replace-me"]));
  });
});
