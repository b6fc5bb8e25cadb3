/**
 * An update, or its preview, as the program sees it: what it registers and reads, one after the
 * other.
 */
import { messageOf } from "../diagnostics";
import type { OperationContext } from "../operation";
import { Cancelled, Reported } from "../progress";
import { withHashes } from "../state/assets";
import { withOldValues } from "../state/paths";
import { dependenciesOf, type ResourceState } from "../state/state";
import { parseUrn, STACK_TYPE } from "../state/urns";
import { type Properties, withoutUnknown } from "../state/values";
import type { UpdateOptions } from "../types";
import {
  carryOut,
  deleteThenReplace,
  leave,
  readExternal,
  replaceThenDelete,
  takeOver,
} from "./actions";
import { AliasResolver } from "./aliases";
import { decide, FORCED } from "./decide";
import { deleteAll } from "./deletes";
import { type Goal, inherit, newState, type ReadGoal } from "./goal";
import { check, deletedBefore, diff, refuseForbidden } from "./provider-calls";
import { Targets } from "./targets";

/** The answer to a registration. */
export interface Registered {
  urn: string;
  id: string;
  outputs: Properties;

  /** How its step ended, where the update goes on after errors. */
  result: Result;
}

type Result = "SUCCESS" | "FAIL" | "SKIP";

type Act = () => Promise<void>;

/**
 * Registrations are decided one at a time, in the order in which they come; what was decided is
 * then done side by side. After a failure nothing more is registered.
 */
export class Update {
  /** The stack's outputs, once the program has given them. */
  stackOutputs: Properties | undefined;
  readonly #context: OperationContext;
  readonly #aliases: AliasResolver;
  readonly #registered = new Map<string, Goal>();

  /** URNs of resources whose step failed, or was skipped as it depends on a failed one. */
  readonly #failed = new Set<string>();
  readonly #targets: Targets;

  /** URNs deleted ahead of what they depend on, and to be created again. */
  readonly #recreate = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  #conclusion: Promise<void> | undefined;

  constructor(
    context: OperationContext,
    private readonly options: UpdateOptions = {},
  ) {
    this.#context = context;
    this.#targets = new Targets(options);
    this.#aliases = new AliasResolver(context.at, context.olds);
  }

  /** Old URNs by which resources were found, with the present ones. */
  get renames(): ReadonlyMap<string, string> {
    return this.#aliases.renames;
  }

  async register(request: Goal): Promise<Registered> {
    const goal = inherit(request, this.#registered.get(request.parent ?? ""));
    const next = newState(goal, this.#context);

    // The stack itself is let through also late: without it the SDK cannot even begin the program,
    // and so not end it.
    const always = goal.type === STACK_TYPE;
    const result = await this.#run(next, () => this.#plan(goal, next), always);

    this.#registered.set(next.urn, goal);

    // The outputs of a component come later, and old ones may refer to resources that are not
    // registered yet.
    return {
      urn: next.urn,
      id: next.id,
      outputs: goal.custom ? next.outputs : {},
      result,
    };
  }

  async readResource(goal: ReadGoal): Promise<Registered> {
    const next = {
      ...newState(goal, this.#context),
      id: goal.id,
      external: true,
    };

    const result = await this.#run(next, async () => {
      const old = this.#aliases.find(next.urn, goal);
      return () => readExternal(this.#context, next, old);
    });

    return {
      urn: next.urn,
      id: next.id,
      outputs: next.outputs,
      result,
    };
  }

  registerOutputs(urn: string, outputs: Properties): void {
    if (parseUrn(urn).type === STACK_TYPE) {
      this.stackOutputs = outputs;
      return;
    }

    const resource = this.#context.news.find((candidate) => candidate.urn === urn);
    if (this.#targets.isLeftOut(urn)) return;
    if (resource === undefined)
      throw new Error(`cannot complete a resource '${urn}' whose registration isn't pending`);

    resource.outputs = outputs;
  }

  /** Fails the update for something that this engine does not do. */
  async refuse(message: string): Promise<never> {
    const { progress } = this.#context;

    progress.fail(message);
    progress.stop();
    await progress.settled();

    throw new Cancelled();
  }

  /**
   * Ends the update: deletes what was replaced or has left the program, if all went well until
   * here.
   */
  finish(programSucceeded: boolean): Promise<void> {
    this.#conclusion ??= this.#conclude(programSucceeded);
    return this.#conclusion;
  }

  async #conclude(programSucceeded: boolean): Promise<void> {
    const context = this.#context;

    await context.progress.settled();
    const { continueOnError } = this.options;
    const left = context.olds.filter((old) => !context.gone.has(old));
    const failed = left.filter((old) => !old.pendingDelete && this.#hasFailed(old));
    const gone = left.filter((old) => !failed.includes(old));
    const toDelete = gone.filter((old) => this.#targets.mayDelete(old));

    if (programSucceeded && context.progress.isRunning)
      await deleteAll(context, toDelete, { continueOnError, failed });

    for (const old of gone)
      if (!old.pendingDelete && !toDelete.includes(old)) context.note("same", old);

    const stack = context.news.find((resource) => resource.type === STACK_TYPE);
    if (stack === undefined || this.stackOutputs === undefined) return;

    // After a failure a missing output may only not have been reached: the old one stays.
    const kept = context.progress.failed || !programSucceeded ? stack.outputs : {};

    stack.outputs = { ...kept, ...this.stackOutputs };
  }

  async #plan(goal: Goal, next: ResourceState): Promise<Act> {
    const old = this.#aliases.find(next.urn, goal);
    if (this.#targets.has(next)) {
      this.#targets.settleDependencies(next);
      return this.#decide(goal, next, old);
    }

    if (old === undefined) this.#targets.leaveOut(next);

    return async () => leave(this.#context, next, old);
  }

  /** Decides about a registration: check, diff, and what follows from them. */
  async #decide(goal: Goal, next: ResourceState, old: ResourceState | undefined): Promise<Act> {
    const context = this.#context;
    const given = context.preview ? goal.inputs : (withoutUnknown(goal.inputs) as Properties);
    const inputs = withHashes(given, context.deployment.project.cwd);

    next.inputs = inputs;
    const recreated = old !== undefined && this.#recreate.delete(old.urn);
    // A resource that was only read belongs to another stack, and one deleted ahead is gone: both
    // are created.
    const owned = old?.external || recreated ? undefined : old;
    if (goal.importId !== undefined && goal.importId !== (owned?.importId ?? owned?.id)) {
      if (recreated) this.#context.gone.add(old);
      return () => takeOver(context, next, recreated ? undefined : old);
    }

    const news = owned ? withOldValues(inputs, owned.inputs, goal.ignoreChanges) : inputs;

    const isForced = this.options.replace?.includes(next.urn) === true;
    const before = isForced ? {} : (owned?.inputs ?? {});
    next.inputs = await check(context, next, before, news);
    if (old === undefined) return () => carryOut(context, "create", next, undefined);
    if (recreated) return () => deleteThenReplace(context, next, old);
    if (owned === undefined) return () => replaceThenDelete(context, next, old);

    const answer = isForced ? FORCED : await diff(context, owned, next);
    const step = decide({
      ...goal,
      old: owned,
      inputs: next.inputs,
      diff: answer,
    });

    if (step.operation !== "replace") return () => carryOut(context, step.operation, next, owned);

    refuseForbidden(context, next, owned);
    // Defaults taken over from the old resource no longer hold.
    if (!isForced) next.inputs = await check(context, next, {}, inputs);
    if (!step.deleteFirst) return () => replaceThenDelete(context, next, owned);

    const settled = (urn: string) => this.#aliases.has(urn) || this.#recreate.has(urn);
    const dependents = await deletedBefore(context, next.urn, owned, settled);

    for (const { urn } of dependents) this.#recreate.add(urn);

    return () => deleteThenReplace(context, next, owned, dependents);
  }

  /** Whether the resource that succeeds this one has failed, or was skipped. */
  #hasFailed({ urn }: ResourceState): boolean {
    return this.#failed.has(this.#aliases.renames.get(urn) ?? urn);
  }

  async #run(next: ResourceState, plan: () => Promise<Act>, always = false): Promise<Result> {
    const { urn } = next;
    const { continueOnError } = this.options;
    const { progress } = this.#context;
    // Resources that were registered before a step failed are still carried out, as the real engine
    // does when it is quick enough.
    const late = !progress.isRunning;
    const turn = this.#turn.then(async () => {
      if (!always && (late || progress.isStopped)) throw new Cancelled();

      const act = await plan().catch((error) => {
        if (error instanceof Reported) progress.markFailed("decision");
        else progress.fail(messageOf(error), urn, "decision");

        progress.stop();

        throw new Cancelled();
      });

      if ([...dependenciesOf(next)].some((dependency) => this.#failed.has(dependency))) {
        this.#failed.add(urn);
        return { step: Promise.resolve<Result>("SKIP") };
      }

      const step = act().then(
        (): Result => "SUCCESS",
        (error): Result => {
          if (!(error instanceof Reported)) progress.failStep(error, urn);
          this.#failed.add(urn);
          if (continueOnError) return "FAIL";

          progress.drain();

          throw new Cancelled();
        },
      );

      return { step: progress.track(step) };
    });

    this.#turn = progress.track(turn).catch(() => {});
    try {
      const { step } = await turn;
      return await step;
    } catch {
      await progress.settled();
      throw new Cancelled();
    }
  }
}
