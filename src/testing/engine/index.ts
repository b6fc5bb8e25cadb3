import { type Deployment, destroy, refresh, update } from "./deployment";
import { openProject } from "./project";
import type { StackResult, TestStackOptions } from "./types";

export { StackError } from "./diagnostics";

/**
 * A stack whose state lives in this object: its program is run by the SDK's own language runtime and its dynamic
 * resources by the SDK's own provider process, without the Pulumi command.
 *
 * Every operation rejects with a `StackError` that carries what was done until then; what a program asks for and this
 * engine does not do is such an error, and names it. Operations on one stack run one after the other. No process
 * outlives the operation that started it.
 *
 * An inline program runs in this process: `env` then is set in `process.env` while it runs, so that stacks which run
 * side by side should not differ in it, and what the program prints is not captured.
 */
export class TestStack {
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(private readonly deployment: Deployment) {}

  /** Opens a stack without any resources. The SDK is loaded here, and not before. */
  static async create(options: TestStackOptions): Promise<TestStack> {
    return new TestStack({
      options,
      project: openProject(options),
      state: { resources: [], providerConfig: {} },
    });
  }

  /** What an update would do. Providers are asked to check and to diff, and nothing is changed. */
  preview(): Promise<StackResult> {
    return this.inTurn((deployment) => update(deployment, true));
  }

  /** Runs the program, creates, updates and replaces, and deletes what the program no longer has. */
  up(): Promise<StackResult> {
    return this.inTurn((deployment) => update(deployment, false));
  }

  /** Reads every resource and takes over what its provider finds. Does not run the program. */
  refresh(): Promise<StackResult> {
    return this.inTurn(refresh);
  }

  /** Deletes every resource. Does not run the program. */
  destroy(): Promise<StackResult> {
    return this.inTurn(destroy);
  }

  /** Waits for the operation under way. Resources are left as they are. */
  async close(): Promise<void> {
    await this.turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private inTurn(operation: (deployment: Deployment) => Promise<StackResult>): Promise<StackResult> {
    const result = this.turn.then(() => operation(this.deployment));
    this.turn = result.catch(() => {});
    return result;
  }
}
