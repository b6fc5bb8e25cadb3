/** GitLab, Pulumi Deployments and the Kubernetes operator: the structure that each of them asks for. */
import { load, loadAll, read } from "./support/files";

const NO_SECRETS = /hooks\.slack\.com|Bearer|pul-[0-9a-f]{10}|glpat-/;

describe("the pipeline for GitLab", () => {
  interface Job {
    stage: string;
    script: string[];
    rules: { if: string }[];
    interruptible?: boolean;
    resource_group?: string;
    environment?: string;
  }
  const {
    stages,
    workflow,
    default: common,
    variables,
    ...jobs
  } = load<Record<string, unknown> & { stages: string[]; default: { retry: number; image: string } }>(
    "gitlab/.gitlab-ci.yml",
  );
  const job = (name: string) => jobs[name] as Job;

  it("has the three jobs, each for its kind of pipeline", () => {
    expect(Object.keys(jobs)).toEqual(["preview", "up", "nightly"]);
    expect(Object.keys(jobs).map((name) => job(name).stage)).toEqual(stages);
    expect(Object.keys(jobs).map((name) => job(name).rules)).toEqual([
      [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }],
      [{ if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }],
      [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }],
    ]);
    expect(workflow).toEqual({ rules: expect.any(Array) });
  });

  it("never retries or cancels an up", () => {
    expect(common.retry).toBe(0);
    expect(job("up")).toMatchObject({ interruptible: false, resource_group: "domain-monitoring" });
    expect(job("preview").interruptible).toBe(true);
  });

  it("has only string commands in its scripts, and no secret in its variables", () => {
    for (const name of Object.keys(jobs)) {
      for (const line of job(name).script) expect(typeof line).toBe("string");
    }
    expect(Object.keys(variables as object)).toEqual([
      "MINIMUM_DAYS",
      "MAXIMUM_AGE_HOURS",
      "PULUMI_SKIP_UPDATE_CHECK",
    ]);
    expect(read("gitlab/.gitlab-ci.yml")).not.toMatch(NO_SECRETS);
  });
});

describe("the settings for Pulumi Deployments", () => {
  const { settings, ...others } = load<{ settings: Record<string, Record<string, unknown>> }>(
    "deployments/deploy.yaml",
  );

  it("have only keys of the documented interface", () => {
    expect(others).toEqual({});
    expect(Object.keys(settings).sort()).toEqual(["gitHub", "operationContext", "sourceContext"]);
    expect(Object.keys(settings.sourceContext?.git ?? {}).sort()).toEqual(["branch", "repoDir"]);
    expect(Object.keys(settings.gitHub ?? {}).sort()).toEqual([
      "deployCommits",
      "paths",
      "previewPullRequests",
      "pullRequestTemplate",
      "repository",
    ]);
    expect(Object.keys(settings.operationContext ?? {}).sort()).toEqual([
      "environmentVariables",
      "options",
      "preRunCommands",
    ]);
    expect(Object.keys(settings.operationContext?.options ?? {}).sort()).toEqual([
      "deleteAfterDestroy",
      "remediateIfDriftDetected",
      "skipInstallDependencies",
      "skipIntermediateDeployments",
    ]);
  });

  it("contain no secret, and remediate no drift", () => {
    const { environmentVariables, options } = settings.operationContext ?? {};
    expect(Object.keys(environmentVariables ?? {})).toEqual(["DOMAIN_MONITORING_BASE_URL", "DOMAIN_IDS"]);
    expect(options).toMatchObject({ remediateIfDriftDetected: false });
    expect(read("deployments/deploy.yaml")).not.toMatch(NO_SECRETS);
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
    spec: Record<string, unknown> & {
      envRefs: Record<string, Reference>;
      secretsRef: Record<string, Reference>;
    };
    subjects?: { kind: string; name: string; namespace: string }[];
    stringData?: Record<string, string>;
  }
  const manifests = loadAll<Manifest>("kubernetes/stack.yaml");
  const [secret] = loadAll<Manifest>("kubernetes/secret.yaml");
  const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  const stack = find("Stack");

  it("declare a stack from git with an account that has the needed permissions", () => {
    expect(manifests.map(({ kind }) => kind)).toEqual([
      "Namespace",
      "ServiceAccount",
      "ClusterRoleBinding",
      "Stack",
    ]);
    expect(stack?.apiVersion).toBe("pulumi.com/v1");
    const account = find("ServiceAccount")?.metadata;
    expect(stack?.spec.serviceAccountName).toBe(account?.name);
    expect(find("ClusterRoleBinding")?.subjects).toEqual([{ kind: "ServiceAccount", ...account }]);
    const namespaces = manifests.flatMap(({ metadata }) => metadata.namespace ?? []);
    expect(new Set(namespaces)).toEqual(new Set([find("Namespace")?.metadata.name]));
  });

  it("use only the stack fields that the operator defines", () => {
    expect(Object.keys(stack?.spec ?? {}).sort()).toEqual([
      "backend",
      "branch",
      "config",
      "continueResyncOnCommitMatch",
      "destroyOnFinalize",
      "envRefs",
      "projectRepo",
      "refresh",
      "repoDir",
      "resyncFrequencySeconds",
      "retryMaxBackoffDurationSeconds",
      "secretsRef",
      "serviceAccountName",
      "shallow",
      "stack",
      "workspaceTemplate",
    ]);
    expect(stack?.spec).toMatchObject({ destroyOnFinalize: false, refresh: false });
    // The operator refuses a shorter one.
    expect(stack?.spec.resyncFrequencySeconds).toBeGreaterThanOrEqual(60);
  });

  it("take every secret from the Secret beside them", () => {
    const references = Object.entries({ ...stack?.spec.envRefs, ...stack?.spec.secretsRef });
    for (const [name, { type, secret: from, literal }] of references) {
      if (type === "Literal") {
        expect([name, literal]).toEqual(["DOMAIN_MONITORING_BASE_URL", { value: expect.any(String) }]);
      } else {
        expect(type).toBe("Secret");
        expect(from?.name).toBe(secret?.metadata.name);
        expect(Object.keys(secret?.stringData ?? {})).toContain(from?.key);
      }
    }
    expect(secret?.metadata.namespace).toBe(stack?.metadata.namespace);
    expect(new Set(Object.values(secret?.stringData ?? {}))).toEqual(new Set(["replace-me"]));
  });
});
