/** The state that the steps of one operation share. */
import { Diagnostics } from "./diagnostics";
import { MockedPackages } from "./processes/mocks";
import type { StartProvider } from "./processes/provider-process";
import { type Provider, Providers } from "./processes/providers";
import { Progress } from "./progress";
import type { Project } from "./project";
import type { ResourceState, StackState } from "./state/state";
import { isProviderType, parseUrn, STACK_TYPE, type StackName } from "./state/urns";
import { equal, type Properties } from "./state/values";
import type { Operation, StackStep, TestStackOptions } from "./types";

/**
 * A stack between its operations. `state` is replaced when the operation ends, even if it fails.
 */
export interface Deployment {
  readonly options: TestStackOptions;
  readonly project: Project;

  /** Ends the operation under way and its processes. */
  readonly killed: AbortSignal;

  readonly startProvider: StartProvider;
  state: StackState;
}

/** Shared state of an operation: diagnostics, steps, providers, old and new resources. */
export class OperationContext {
  readonly diagnostics = new Diagnostics();
  readonly progress: Progress;

  /** Completed steps in their order; the stack itself is left out. */
  readonly steps: StackStep[] = [];
  readonly providers: Providers;

  /** Answers for packages without a dynamic provider; none where the test has no mocks. */
  readonly mocks: MockedPackages | undefined;
  readonly at: StackName;

  /** Environment of the program and of the provider processes. */
  readonly env: NodeJS.ProcessEnv;

  /** The state before the operation: a copy, which steps may mark. */
  readonly olds: ResourceState[];

  /** Resources of this update, each after those that it depends on. */
  readonly news: ResourceState[] = [];

  /** Old states that are gone: deleted, or succeeded by one of `news`. */
  readonly gone = new Set<ResourceState>();

  /**
   * Old states that are still to be deleted, but that the real engine does not record any more: it
   * tries only once.
   */
  readonly unrecorded = new Set<ResourceState>();

  constructor(
    readonly deployment: Deployment,
    readonly preview: boolean,
  ) {
    const { project, options, state, killed, startProvider } = deployment;

    this.progress = new Progress(this.diagnostics, preview);
    this.at = { stack: project.stack, project: project.name };
    this.env = environment(options);
    this.mocks = options.mocks && new MockedPackages(options.mocks, this.at, preview);
    this.olds = structuredClone(state.resources);
    const { diagnostics, env, olds, mocks } = this;

    this.providers = new Providers({
      project,
      env,
      diagnostics,
      olds,
      killed,
      mocks,
      startProvider,
    });
  }

  /** The steps without the parts of replacements. */
  get changes(): StackStep[] {
    return this.steps.filter(({ operation }) => !PARTS.has(operation));
  }

  /** Records a completed step. */
  note(operation: Operation, resource: ResourceState, old?: ResourceState): void {
    const { urn, type } = resource;
    if (type === STACK_TYPE) return;

    const before = old?.inputs ?? resource.inputs;
    const names = Object.keys({ ...before, ...resource.inputs });
    const changed = names.filter((name) => !equal(before[name], resource.inputs[name])).sort();

    this.steps.push({
      operation,
      urn,
      type,
      name: parseUrn(urn).name,
      changed,
    });
  }

  /** The provider that manages a resource. */
  providerOf(resource: ResourceState): Provider {
    return this.providers.get(resource.provider ?? "");
  }

  /** The resource with this URN, in the form returned to the program. */
  registered(urn: string): Properties {
    const found = [...this.news, ...this.olds].find((resource) => resource.urn === urn);
    if (found === undefined) throw new Error(`unknown resource ${urn}`);

    return {
      urn,
      id: found.id,
      state: found.outputs,
    };
  }

  /** The resources after the operation. */
  snapshot(): ResourceState[] {
    return [
      ...this.news,
      ...this.olds.filter((old) => !this.gone.has(old) && !this.unrecorded.has(old)),
    ];
  }
}

/** This process's environment with the options' changes; a variable without a value is removed. */
function environment({ env = {} }: TestStackOptions): NodeJS.ProcessEnv {
  const merged = Object.entries({ ...process.env, ...env });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** The parts of a replacement, which as a whole is a `replace`. */
const PARTS: ReadonlySet<Operation> = new Set<Operation>([
  "create-replacement",
  "delete-replaced",
  "read-replacement",
  "import-replacement",
  "discard-replaced",
  "remove-pending-replace",
]);

/** Whether a provider manages the resource: components and providers themselves have none. */
export function isManaged({ custom, type }: Pick<ResourceState, "custom" | "type">): boolean {
  return custom && !isProviderType(type);
}
