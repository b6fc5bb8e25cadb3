/**
 * An update, or its preview, as the program sees it: what it registers and reads, one after the
 * other.
 */
import { messageOf } from "../diagnostics";
import type { OperationContext } from "../operation";
import { Cancelled, Reported } from "../progress";
import { withHashes } from "../state/assets";
import { withOldValues } from "../state/paths";
import type { ResourceState } from "../state/state";
import { parseUrn, STACK_TYPE } from "../state/urns";
import type { Properties } from "../state/values";
import { carryOut, deleteThenReplace, readExternal, replaceThenDelete, takeOver } from "./actions";
import { AliasResolver } from "./aliases";
import { decide } from "./decide";
import { deleteAll } from "./deletes";
import { type Goal, inherit, newState, type ReadGoal } from "./goal";
import {
  check,
  deletedBefore,
  diff,
  refuseReplacement,
  refuseReplacementOfImported,
} from "./provider-calls";

/** The answer to a registration. */
export interface Registered {
  urn: string;
  id: string;
  outputs: Properties;
}

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

  /** URNs deleted ahead of what they depend on, and to be created again. */
  readonly #recreate = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  #conclusion: Promise<void> | undefined;

  constructor(context: OperationContext) {
    this.#context = context;
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
    await this.#run(next.urn, () => this.#plan(goal, next), goal.type === STACK_TYPE);
    this.#registered.set(next.urn, goal);

    // The outputs of a component come later, and old ones may refer to resources that are not
    // registered yet.
    return {
      urn: next.urn,
      id: next.id,
      outputs: goal.custom ? next.outputs : {},
    };
  }

  async readResource(goal: ReadGoal): Promise<Registered> {
    const next = {
      ...newState(goal, this.#context),
      id: goal.id,
      external: true,
    };

    await this.#run(next.urn, async () => {
      const old = this.#aliases.find(next.urn, goal);
      return () => readExternal(this.#context, next, old);
    });

    return {
      urn: next.urn,
      id: next.id,
      outputs: next.outputs,
    };
  }

  registerOutputs(urn: string, outputs: Properties): void {
    if (parseUrn(urn).type === STACK_TYPE) {
      this.stackOutputs = outputs;
      return;
    }

    const resource = this.#context.news.find((candidate) => candidate.urn === urn);
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
    const left = context.olds.filter((old) => !context.gone.has(old));

    if (programSucceeded && context.progress.isRunning) await deleteAll(context, left);
    const stack = context.news.find((resource) => resource.type === STACK_TYPE);
    if (stack === undefined || this.stackOutputs === undefined) return;

    // After a failure a missing output may only not have been reached: the old one stays.
    const kept = context.progress.failed || !programSucceeded ? stack.outputs : {};

    stack.outputs = { ...kept, ...this.stackOutputs };
  }

  /** Decides about a registration: check, diff, and what follows from them. */
  async #plan(goal: Goal, next: ResourceState): Promise<Act> {
    const context = this.#context;
    const inputs = withHashes(goal.inputs, context.deployment.project.cwd);

    next.inputs = inputs;
    const old = this.#aliases.find(next.urn, goal);
    const recreated = old !== undefined && this.#recreate.delete(old.urn);
    // A resource that was only read belongs to another stack, and one deleted ahead is gone: both
    // are created.
    const owned = old?.external || recreated ? undefined : old;
    if (goal.importId !== undefined && goal.importId !== (owned?.importId ?? owned?.id)) {
      if (recreated) this.#context.gone.add(old);
      return () => takeOver(context, next, recreated ? undefined : old);
    }

    const news = owned ? withOldValues(inputs, owned.inputs, goal.ignoreChanges) : inputs;

    next.inputs = await check(context, next, owned?.inputs ?? {}, news);
    if (old === undefined) return () => carryOut(context, "create", next, undefined);
    if (recreated) return () => deleteThenReplace(context, next, old);
    if (owned === undefined) return () => replaceThenDelete(context, next, old);

    const answer = await diff(context, owned, next);
    const step = decide({
      ...goal,
      old: owned,
      inputs: next.inputs,
      diff: answer,
    });

    if (step.operation !== "replace") return () => carryOut(context, step.operation, next, owned);

    if (owned.protect && next.protect) refuseReplacement(context, next.urn);
    if (goal.importId !== undefined) refuseReplacementOfImported(context, next.urn);
    // Defaults taken over from the old resource no longer hold.
    next.inputs = await check(context, next, {}, inputs);
    if (!step.deleteFirst) return () => replaceThenDelete(context, next, owned);

    const settled = (urn: string) => this.#aliases.has(urn) || this.#recreate.has(urn);
    const dependents = await deletedBefore(context, next.urn, owned, settled);

    for (const { urn } of dependents) this.#recreate.add(urn);

    return () => deleteThenReplace(context, next, owned, dependents);
  }

  async #run(urn: string, plan: () => Promise<Act>, always = false): Promise<void> {
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

      const step = act().catch((error) => {
        if (!(error instanceof Reported)) progress.failStep(error, urn);
        progress.drain();

        throw new Cancelled();
      });

      return { step: progress.track(step) };
    });

    this.#turn = progress.track(turn).catch(() => {});
    try {
      const { step } = await turn;
      await step;
    } catch {
      await progress.settled();
      throw new Cancelled();
    }
  }
}
