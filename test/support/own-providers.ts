/**
 * This package's providers in the test's process: the SDK's provider process takes many times as
 * long. Where the boundary of processes is what is tested, that one runs.
 */
import {
  InitError,
  ProviderProcess,
  type StartedProvider,
  type StartProvider,
} from "../../packages/pulumi-offline/src/processes/provider-process";
import {
  copySecrets,
  knownAnswer,
  type Properties,
  reveal,
} from "../../packages/pulumi-offline/src/state/values";
import { withoutCommands } from "../../src/common/text";
import { guard, PROVIDER_KEY, type ResourceProvider } from "../../src/provider/boundary";
import { notificationChannelProvider } from "../../src/provider/channel";
import { Connection } from "../../src/provider/connection";
import { domainProvider } from "../../src/provider/domain";

/**
 * The death of a provider process: at which of its writes it dies, and whether the service carries
 * out that write.
 */
export interface Kill {
  write: number;
  at: "before" | "after";
}

/**
 * Starts these providers for a stack with its environment; resources that are not this package's
 * get a process.
 */
export function ownProviders(): StartProvider {
  const before = { ...process.env };

  return async (options, config) => {
    const settings = Object.entries(options.env).filter(([name, value]) => before[name] !== value);
    const own = await new Providers().start(options, config);
    let others: Promise<StartedProvider> | undefined;
    const of = async ({ [PROVIDER_KEY]: text }: Properties) => {
      // The program's environment, which a provider process has from its start to its end.
      Object.assign(process.env, Object.fromEntries(settings));
      if (OWN.test(String(reveal(text)))) return own;
      others ??= ProviderProcess.start(options, config);
      return others;
    };

    return {
      check: async (urn, olds, news) => (await of(news)).check(urn, olds, news),
      diff: async (urn, old, news) => (await of(news)).diff(urn, old, news),
      create: async (urn, inputs) => (await of(inputs)).create(urn, inputs),
      update: async (urn, old, news) => (await of(news)).update(urn, old, news),
      read: async (urn, id, inputs, state) => (await of(state)).read(urn, id, inputs, state),
      delete: async (urn, id, inputs, outputs) =>
        (await of(outputs)).delete(urn, id, inputs, outputs),
      async stop() {
        await own.stop();
        await (await others)?.stop();
        for (const [name] of settings) restore(name, before[name]);
      },
    };
  };
}

const OWN = /pulumi-domain-monitoring\/provider/;

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** Starts providers. */
export class Providers {
  /** Kills the next provider that reaches this write. */
  kill: Kill | undefined;

  /** Whether a provider was killed since this was last set. */
  isKilled = false;

  readonly start: StartProvider = async ({ onLine }, config) => {
    const warn = (line: string) => onLine(`warning: ${withoutCommands(line)}`, "stderr");
    const connection = new Connection(undefined, warn);
    const providers = {
      channel: guard(notificationChannelProvider(warn, connection)),
      domain: guard(domainProvider(warn, connection)),
    };

    const settings = reveal(config) as Record<string, string | undefined>;
    for (const provider of Object.values(providers))
      await provider.configure({ config: { get: (key) => settings[key] } });

    const process = new ProcessStandIn(this, providers);

    return calls(process, () => connection.client.close());
  };
}

class ProcessStandIn {
  readonly #underWay = new Set<Promise<unknown>>();
  #writes = 0;
  #isDead = false;

  constructor(
    private readonly host: Providers,
    private readonly providers: Record<"channel" | "domain", ResourceProvider>,
  ) {}

  /** Calls the provider whose source text is among the properties. */
  async call<T>(properties: unknown, work: (provider: ResourceProvider) => Promise<T>): Promise<T> {
    if (this.#isDead) throw lost();

    const text = String((properties as Properties)[PROVIDER_KEY]);
    const result = work(text.endsWith("domain") ? this.providers.domain : this.providers.channel);
    this.#underWay.add(result.catch(() => {}));
    const answer = await result.catch((error) => error);
    if (this.#isDead) throw lost();
    if (answer instanceof Error) throw answer;

    return answer;
  }

  /** Same, for a call that may change something in the service. */
  async write<T>(
    properties: unknown,
    work: (provider: ResourceProvider) => Promise<T>,
  ): Promise<T> {
    this.#writes += 1;
    const { kill } = this.host;
    const isHit = this.#writes === kill?.write;
    if (isHit && kill?.at === "before") this.#die();
    if (!isHit) return this.call(properties, work);

    await this.call(properties, work);
    this.#die();

    throw lost();
  }

  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #die(): void {
    this.#isDead = true;
    this.host.isKilled = true;
    this.host.kill = undefined;
  }
}

function lost(): Error {
  return new Error("error reading from server: EOF");
}

/**
 * Makes the calls like the engine: it sends secrets in clear, and marks results as secret where
 * they were secret before.
 */
function calls(process: ProcessStandIn, close: () => Promise<void>): StartedProvider {
  return {
    async check(_urn, olds, news) {
      const [before, after] = [clear(olds), clear(news)];
      const { inputs, failures } = await process.call(after, (provider) =>
        provider.check(before, after),
      );

      return { inputs: copySecrets(news, withText(inputs, after)), failures };
    },
    async diff(_urn, { id, outputs }, news) {
      const [before, after] = [clear(outputs), clear(news)];
      const { changes, replaces } = await process.call(after, (provider) =>
        provider.diff(id, before, after),
      );

      return { changes: changes ? "some" : "none", replaces, deleteBeforeReplace: false };
    },
    async create(_urn, inputs) {
      const sent = clear(inputs);
      const { id, outs } = await orPartial(
        inputs,
        process.write(sent, (provider) => provider.create(sent)),
      );

      return { id, outputs: answered(inputs, outs, sent) };
    },
    async update(_urn, { id, outputs }, news) {
      const [before, after] = [clear(outputs), clear(news)];
      const { outs } = await orPartial(
        news,
        process.write(after, (provider) => provider.update(id, before, after)),
      );

      return answered(news, outs, after);
    },
    async read(_urn, id, recordedInputs, state) {
      const sent = clear(state);
      const {
        id: found,
        props,
        inputs,
      } = await process.call(sent, (provider) => provider.read(id, sent));

      return {
        id: found,
        outputs: answered(state, props, sent),
        inputs: inputs && answered(recordedInputs, inputs, sent),
      };
    },
    async delete(_urn, id, _inputs, outputs) {
      const sent = clear(outputs);
      await process.write(sent, (provider) => provider.delete(id, sent));
    },
    async stop() {
      await process.ended();
      await close();
    },
  };
}

function clear(properties: Properties): Properties {
  return structuredClone(reveal(properties)) as Properties;
}

function withText(properties: Properties, { [PROVIDER_KEY]: text }: Properties): Properties {
  return { ...properties, [PROVIDER_KEY]: text };
}

function answered(secrets: Properties, properties: Properties, sent: Properties): Properties {
  return copySecrets(secrets, knownAnswer(withText(properties, sent)));
}

/** A resource that exists but is incomplete, in the engine's format. */
async function orPartial<T>(inputs: Properties, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { id, properties, reasons } = error as Partial<InitError> & { properties?: Properties };
    if (!id || !properties) throw error;
    throw new InitError(id, copySecrets(inputs, properties), reasons ?? []);
  }
}
