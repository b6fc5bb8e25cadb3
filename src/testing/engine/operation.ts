import { Diagnostics } from "./diagnostics";
import type { Project } from "./project";
import { type Provider, Providers } from "./providers";
import type { ResourceState, StackState } from "./state";
import type { Operation } from "./types";
import { PROVIDER_TYPE, type StackName } from "./urns";
import type { Properties } from "./values";

/** What the parts of one operation share: messages, counts, providers, and what became of the old resources. */
export class OperationContext {
  readonly diagnostics = new Diagnostics();
  readonly changes: Partial<Record<Operation, number>> = {};
  readonly providers: Providers;
  readonly at: StackName;
  /** The state before the operation: a copy, which steps may mark. */
  readonly olds: ResourceState[];
  /** Resources of this update, each after those that it depends on. */
  readonly news: ResourceState[] = [];
  /** Old states that are gone: deleted, or succeeded by one of `news`. */
  readonly gone = new Set<ResourceState>();
  /** Whether a step failed, which ends the operation with a message of its own. */
  stepFailed = false;
  /** Whether nothing further is to be begun. */
  cancelled = false;

  constructor(
    project: Project,
    env: NodeJS.ProcessEnv,
    state: StackState,
    defaultConfig: Properties,
    readonly preview: boolean,
    /** Ends processes at once. */
    readonly killed: AbortSignal,
  ) {
    this.at = { stack: project.stack, project: project.name };
    this.olds = structuredClone(state.resources);
    this.providers = new Providers(project, env, this.diagnostics, defaultConfig, this.olds, killed);
  }

  count(operation: Operation): void {
    this.changes[operation] = (this.changes[operation] ?? 0) + 1;
  }

  /** Reports a failed step; unlike failures before it, these are marked as the preview's. */
  failStep(error: unknown, urn: string): void {
    this.stepFailed = true;
    this.diagnostics.fail(this.preview ? `Preview failed: ${messageOf(error)}` : messageOf(error), urn);
  }

  /** Has the operation end early: what is under way is finished and recorded, and nothing else is begun. */
  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.diagnostics.fail(`the ${this.preview ? "preview" : "operation"} was cancelled`);
  }

  /** The provider of a dynamic resource. */
  providerOf(resource: ResourceState): Provider {
    return this.providers.get(resource.provider ?? "");
  }

  /** The resources after the operation. */
  snapshot(): ResourceState[] {
    return [...this.news, ...this.olds.filter((old) => !this.gone.has(old))];
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a provider manages the resource: components and providers themselves have none. */
export function isDynamic(resource: ResourceState): boolean {
  return resource.custom && resource.type !== PROVIDER_TYPE;
}
