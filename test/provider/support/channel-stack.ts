/**
 * The engine's work on one resource, as far as a provider can tell: which method it calls, and what
 * it keeps after each way to fail. Every operation has a provider, and so a process, of its own.
 */
import { guard, type Properties, type ResourceProvider } from "../../../src/provider/boundary";
import { notificationChannelProvider } from "../../../src/provider/channel";

/** A resource as it is recorded. */
export interface Recorded {
  id: string;
  inputs: Properties;
  outputs: Properties;

  /** The engine updates it the next time, whether or not there is a difference. */
  isUnfinished: boolean;
}

/** A provider in a process that was started with this stack config; `warn` takes what it shows. */
export function providerWith(
  settings: Record<string, string>,
  warn: (line: string) => void = () => undefined,
  providerOf: (warn: (line: string) => void) => ResourceProvider = notificationChannelProvider,
): ResourceProvider {
  const provider = guard(providerOf(warn));
  void provider.configure({
    config: { get: (key) => settings[key.replace("domain-monitoring:", "")] },
  });
  return provider;
}

/** A stack of one resource: of a channel unless another provider is given. */
export class ChannelStack {
  recorded: Recorded | undefined;

  /** Warnings and errors that users have read so far. */
  readonly messages: string[] = [];

  /** The steps of the last operation, besides creates and deletes. */
  steps: ("same" | "update" | "replace" | "drift" | "gone")[] = [];

  constructor(
    readonly settings: Record<string, string>,
    private readonly providerOf?: (warn: (line: string) => void) => ResourceProvider,
  ) {}

  provider(): ResourceProvider {
    return providerWith(this.settings, (line) => this.messages.push(line), this.providerOf);
  }

  async up(declared: Properties): Promise<void> {
    await this.#operation((provider) => this.#deploy(provider, declared));
  }

  async destroy(): Promise<void> {
    await this.#operation(async (provider) => {
      const { recorded } = this;
      if (recorded === undefined) return;
      await provider.delete(recorded.id, recorded.outputs);
      this.recorded = undefined;
    });
  }

  /** Reads the channel, and compares it as the engine does. */
  async refresh(): Promise<void> {
    await this.#operation(async (provider) => {
      const { recorded } = this;
      if (recorded === undefined) return;

      const read = await provider.read(recorded.id, recorded.outputs);
      const { id, props, inputs = recorded.inputs } = read;
      if (id === "") {
        this.recorded = undefined;
        this.steps.push("gone");
        return;
      }

      const { changes, replaces } = await provider.diff(id, props, recorded.inputs);
      if (changes || replaces.length > 0) this.steps.push("drift");
      this.recorded = { id, inputs, outputs: props, isUnfinished: false };
    });
  }

  /** The steps that a preview would show. */
  async preview(declared: Properties) {
    const { recorded } = this;
    const provider = this.provider();
    const inputs = await checked(provider, recorded?.inputs ?? {}, declared);
    return recorded && provider.diff(recorded.id, recorded.outputs, inputs);
  }

  async #operation(run: (provider: ResourceProvider) => Promise<void>): Promise<void> {
    this.steps = [];
    try {
      await run(this.provider());
    } catch (error) {
      this.messages.push(String(error));
      throw error;
    }
  }

  async #deploy(provider: ResourceProvider, declared: Properties): Promise<void> {
    const old = this.recorded;
    const inputs = await checked(provider, old?.inputs ?? {}, declared);
    if (old === undefined) return this.#record(provider.create(inputs), inputs);

    const { changes, replaces } = await provider.diff(old.id, old.outputs, inputs);
    if (replaces.length > 0) {
      this.steps.push("replace");
      const news = await checked(provider, {}, declared);
      await this.#record(provider.create(news), news);
      await provider.delete(old.id, old.outputs);
    } else if (changes || old.isUnfinished) {
      this.steps.push("update");
      // After a failure the engine keeps the old inputs, so that the difference shows again.
      const updated = provider.update(old.id, old.outputs, inputs);
      const step = updated.then(({ outs }) => ({ id: old.id, outs }));
      await this.#record(step, inputs, old.inputs);
    } else {
      this.recorded = { ...old, inputs };
      this.steps.push("same");
    }
  }

  async #record(step: ReturnType<ResourceProvider["create"]>, inputs: Properties, olds = inputs) {
    try {
      const { id, outs } = await step;
      this.recorded = { id, inputs, outputs: outs, isUnfinished: false };
    } catch (error) {
      if (isPartial(error)) {
        const { id, properties } = error;
        this.recorded = { id, inputs: olds, outputs: properties, isUnfinished: true };
      }
      throw error;
    }
  }
}

async function checked(provider: ResourceProvider, olds: Properties, news: Properties) {
  const { inputs, failures } = await provider.check(olds, news);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
  return inputs;
}

/** Whether an error has a resource that exists although the step failed. */
function isPartial(error: unknown): error is { id: string; properties: Properties } {
  return error instanceof Error && "id" in error && "properties" in error;
}
