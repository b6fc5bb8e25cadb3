/**
 * The state of an operation: what has failed, what may still begin, and when nothing is under way
 * any more.
 */
import { type Diagnostics, messageOf } from "./diagnostics";

/** The operation has failed elsewhere: the program sees a closed engine, as with the real one. */
export class Cancelled extends Error {}

/** A failure that has already been reported. */
export class Reported extends Error {}

/**
 * - `running`: everything may begin.
 * - `draining`: nothing new is registered; what was registered before is still carried out.
 * - `stopping`: nothing begins; what is under way is finished.
 * - `over`: nothing is under way. Later messages of the program are only about the closed engine.
 */
type Phase = "running" | "draining" | "stopping" | "over";

/** The part of an operation that failed: a step, the decision about one, or anything else. */
type Part = "step" | "decision" | "other";

/** The progress of one operation. */
export class Progress {
  /** Resolves when the operation has ended early and nothing is under way any more. */
  readonly over: Promise<void>;
  readonly #diagnostics: Diagnostics;
  readonly #preview: boolean;
  readonly #failures = new Set<Part>();
  readonly #underWay = new Set<Promise<unknown>>();
  #phase: Phase = "running";
  #end: () => void = () => {};

  constructor(diagnostics: Diagnostics, preview: boolean) {
    this.#diagnostics = diagnostics;
    this.#preview = preview;
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get isRunning(): boolean {
    return this.#phase === "running";
  }

  get isOver(): boolean {
    return this.#phase === "over";
  }

  /** Whether nothing may begin any more. */
  get isStopped(): boolean {
    return this.#phase === "stopping" || this.#phase === "over";
  }

  /** Whether the operation failed. An error that the program only logs does not count. */
  get failed(): boolean {
    return this.#failures.size > 0;
  }

  /** Reports an error, with which the operation fails. */
  fail(message: string, urn?: string, part: Part = "other"): void {
    this.markFailed(part);
    this.#diagnostics.add("error", message, urn);
  }

  /** Lets the operation fail with an error that was reported before. */
  markFailed(part: Part = "other"): void {
    this.#failures.add(part);
  }

  /** Reports a failed step; unlike failures before it, these are marked as the preview's. */
  failStep(error: unknown, urn: string): void {
    const message = messageOf(error);
    this.fail(this.#preview ? `Preview failed: ${message}` : message, urn, "step");
  }

  /** Reports that steps failed, unless the decision about another one was reported already. */
  summarize(): void {
    if (this.#failures.has("step") && !this.#failures.has("decision"))
      this.fail(`${this.#operation} failed`);
  }

  /** Ends the operation early: running steps finish and are recorded, no others start. */
  cancel(): void {
    this.fail(`${this.#operation} canceled`);
    this.stop();
  }

  /** Refuses further registrations. */
  drain(): void {
    if (this.#phase === "running") this.#leave("draining");
  }

  /** Refuses further registrations, and those that wait for their turn as well. */
  stop(): void {
    if (this.#phase === "running") this.#leave("stopping");
    else if (this.#phase === "draining") this.#phase = "stopping";
  }

  /** Counts something as under way until it has ended. */
  track<T>(work: Promise<T>): Promise<T> {
    const ended = work.catch(() => {}).finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);

    return work;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  get #operation(): string {
    return this.#preview ? "preview" : "update";
  }

  #leave(phase: Phase): void {
    this.#phase = phase;
    void this.settled().then(() => {
      this.#phase = "over";
      this.#end();
    });
  }
}
