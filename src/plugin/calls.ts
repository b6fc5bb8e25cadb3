/** A run, and the calls about one resource in it. */
import type { CallOptions } from "../client/options";
import type { Warn } from "../common/text";
import { FUNCTION_PREFIX } from "../names";
import type { Properties, ResourceProvider } from "../provider/boundary";
import { Connection } from "../provider/connection";
import type { Difference } from "./responses";

/** From one `Configure` to the next, or to the end of the process. */
export class Run {
  /** URNs of what was read by an import. */
  readonly imported = new Set<string>();

  /** Token of a function that has failed. */
  failedFunction: string | undefined;

  constructor(readonly connection = new Connection()) {}

  /**
   * In an inline program (Automation API), the SDK for Node reports a failure that nothing waits for
   * only after it has told the engine that everything is declared. The engine would then delete what
   * depends on the function's result. A program that the command runs has ended by then.
   *
   * Not covered: a resource of another provider, explicit or of another version, than the function,
   * because each is a process of its own. A destroy runs no functions.
   */
  refuseAfterFailure(): void {
    if (this.failedFunction === undefined || process.env.PULUMI_AUTOMATION_API === undefined)
      return;
    const name = this.failedFunction.replace(FUNCTION_PREFIX, "");

    throw new Error(
      `nothing is deleted in a run in which a function failed, even if the program catches the error, because the program may ` +
        `not have declared everything: correct what ${name} reported, and run the update again`,
    );
  }
}

/** One call about a resource. */
export interface ResourceCall {
  urn: string;
  run: Run;

  /** Shows a line under the resource. */
  warn: Warn;
  options: Pick<CallOptions, "timeoutMs">;
}

/** The engine's calls about one resource. */
export interface ResourceCalls extends Pick<ResourceProvider, "create" | "delete"> {
  check(
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: { reason: string }[] }>;
  diff(id: string, olds: Properties, news: Properties): Promise<Difference>;

  /** @param recorded undefined for an import */
  read(id: string, recorded: Properties | undefined): ReturnType<ResourceProvider["read"]>;
  update(id: string, olds: Properties, news: Properties): Promise<Properties>;
}
