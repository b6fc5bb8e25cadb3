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

/** An error with these is a resource that exists although the step failed. */
interface Partial extends Error {
  id: string;
  properties: Properties;
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
  /** The record; undefined if there is no resource in the stack. */
  recorded: Recorded | undefined;

  /** Warnings and errors that users have read so far. */
  readonly messages: string[] = [];

  /** The steps of the last operation, besides creates and deletes. */
  steps: ("same" | "update" | "replace" | "drift" | "gone")[] = [];

  constructor(
    readonly settings: Record<string, string>,
    private readonly providerOf?: (warn: (line: string) => void) => ResourceProvider,
  ) {}

  /** A provider in a process of its own. */
  provider(): ResourceProvider {
    return providerWith(this.settings, (line) => this.messages.push(line), this.providerOf);
  }

  /** Carries the program out. @throws the provider's error */
  async up(declared: Properties): Promise<void> {
    await this.#operation((provider) => this.#deploy(provider, declared));
  }

  /** @throws the provider's error */
  async destroy(): Promise<void> {
    await this.#operation(async (provider) => {
      const { recorded } = this;
      if (recorded === undefined) return;

      await provider.delete(recorded.id, recorded.outputs);
      this.recorded = undefined;
    });
  }

  /** Reads the channel, and compares it as the engine does. @throws the provider's error */
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
    if (old === undefined) return this.#create(provider, inputs);

    const { changes, replaces } = await provider.diff(old.id, old.outputs, inputs);
    if (replaces.length > 0) {
      this.steps.push("replace");
      await this.#create(provider, await checked(provider, {}, declared));
      await provider.delete(old.id, old.outputs);
    } else if (changes || old.isUnfinished) {
      this.steps.push("update");
      try {
        const { outs } = await provider.update(old.id, old.outputs, inputs);
        this.recorded = { id: old.id, inputs, outputs: outs, isUnfinished: false };
      } catch (error) {
        // The engine keeps the old inputs, so that the difference shows again.
        if (isPartial(error))
          this.recorded = { ...old, outputs: error.properties, isUnfinished: true };

        throw error;
      }
    } else {
      this.recorded = { ...old, inputs };
      this.steps.push("same");
    }
  }

  async #create(provider: ResourceProvider, inputs: Properties): Promise<void> {
    try {
      const { id, outs } = await provider.create(inputs);
      this.recorded = { id, inputs, outputs: outs, isUnfinished: false };
    } catch (error) {
      if (isPartial(error))
        this.recorded = { id: error.id, inputs, outputs: error.properties, isUnfinished: true };

      throw error;
    }
  }
}

async function checked(provider: ResourceProvider, olds: Properties, news: Properties) {
  const { inputs, failures } = await provider.check(olds, news);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
  return inputs;
}

function isPartial(error: unknown): error is Partial {
  return error instanceof Error && "id" in error && "properties" in error;
}
