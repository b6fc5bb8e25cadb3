/** `pulumi-offline`: a stack as users have it, and its operations. */
import { update, withoutProgram } from "./deployment";
import type { Deployment } from "./operation";
import { ProviderProcess, type StartProvider } from "./processes/provider-process";
import { openProject } from "./project";
import type { ResourceState } from "./state/state";
import { deleteEverything } from "./steps/deletes";
import { refreshAll } from "./steps/refresh";
import type { OperationOptions, StackResult, TestStackOptions, UpdateOptions } from "./types";

export { StackError } from "./diagnostics";
export type {
  Diagnostic,
  Operation,
  OperationOptions,
  StackOutput,
  StackResource,
  StackResult,
  StackStep,
  TestStackOptions,
  UpdateOptions,
} from "./types";

/**
 * A stack whose program is run by the SDK's own language runtime and its dynamic resources by the
 * SDK's own provider process, without the Pulumi command. Its state is kept in this object.
 *
 * A failed operation rejects with a `StackError` that has the steps done until then; a feature that
 * this engine does not support is such an error and is named. Operations on one stack run one after
 * the other. No process outlives the operation that started it.
 *
 * An inline program runs in this process: `env` then is set in `process.env` while it runs, so that
 * stacks which run side by side should not differ in it, and what the program prints is not
 * captured.
 */
export class TestStack {
  readonly #deployment: Deployment;
  readonly #killing: AbortController;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(deployment: Deployment, killing: AbortController) {
    this.#deployment = deployment;
    this.#killing = killing;
  }

  /** Opens a stack without any resources. The SDK is loaded here, and not before. */
  static create(options: TestStackOptions): Promise<TestStack> {
    return TestStack.createWith(ProviderProcess.start, options);
  }

  /**
   * The same with something else in the place of the SDK's provider process, which takes most of
   * the time of an operation: for tests that run thousands of them.
   * @internal
   */
  static async createWith(
    startProvider: StartProvider,
    options: TestStackOptions,
  ): Promise<TestStack> {
    const killing = new AbortController();

    return new TestStack(
      {
        options,
        project: openProject(options),
        state: { resources: [], providerConfig: {} },
        killed: killing.signal,
        startProvider,
      },
      killing,
    );
  }

  /**
   * The resources as they are recorded, which tells more of them than a result does.
   * @internal
   */
  get recorded(): readonly ResourceState[] {
    return this.#deployment.state.resources;
  }

  /** Determines what an update would do. Providers check and diff, and nothing is changed. */
  preview(options?: UpdateOptions): Promise<StackResult> {
    return this.#inTurn((deployment) => update(deployment, true, options));
  }

  /**
   * Runs the program, creates, updates and replaces, and deletes what the program no longer has.
   */
  up(options?: UpdateOptions): Promise<StackResult> {
    return this.#inTurn((deployment) => update(deployment, false, options));
  }

  /** Reads every resource and updates the state accordingly. Does not run the program. */
  refresh(options?: OperationOptions): Promise<StackResult> {
    return this.#inTurn((deployment) => withoutProgram(deployment, refreshAll, options));
  }

  /** Deletes every resource. Does not run the program. */
  destroy(options?: OperationOptions): Promise<StackResult> {
    return this.#inTurn((deployment) => withoutProgram(deployment, deleteEverything, options));
  }

  /**
   * Stops the operation in progress and its processes, as after a test that timed out; the
   * operation rejects. Resources are left as they are, and no operation can follow.
   */
  async close(): Promise<void> {
    this.#killing.abort();
    await this.#turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #inTurn(operation: (deployment: Deployment) => Promise<StackResult>): Promise<StackResult> {
    if (this.#killing.signal.aborted)
      return Promise.reject(new Error("the stack is closed: create another one"));

    const result = this.#turn.then(() => operation(this.#deployment));
    this.#turn = result.catch(() => {});

    return result;
  }
}
