/** The providers of one operation, by the references that resources have to them. */
import { randomUUID } from "node:crypto";
import type { Diagnostics } from "../diagnostics";
import type { Project } from "../project";
import { sdkScript } from "../sdk";
import type { ResourceState } from "../state/state";
import {
  isDynamicType,
  makeUrn,
  parseProviderReference,
  parseUrn,
  providerReference,
  providerType,
} from "../state/urns";
import { hasUnknown, type Properties, reveal } from "../state/values";
import type { MockedPackages } from "./mocks";
import type { ResourceProvider, StartedProvider, StartProvider } from "./provider-process";

/** A provider that resources refer to. */
export interface Provider {
  /** False while its configuration is not known, in a preview: it is not called then. */
  known: boolean;

  /** Whether mocks answer for its resources: they have nothing to say of what exists. */
  mocked: boolean;

  /** The process, started on first use, or what stands for it. */
  process(): Promise<ResourceProvider>;
}

/** The parts of an operation that its providers work with. */
interface ProvidersParts {
  project: Project;
  env: NodeJS.ProcessEnv;
  diagnostics: Diagnostics;

  /** The state before the operation, for providers that the program no longer has. */
  olds: ResourceState[];
  killed: AbortSignal;
  mocks: MockedPackages | undefined;
  startProvider: StartProvider;
}

/** The providers of one operation: a process for each that is used, all of them ended by `stop`. */
export class Providers {
  readonly #parts: ProvidersParts;
  readonly #byReference = new Map<string, Provider>();
  readonly #processes: Promise<StartedProvider>[] = [];

  constructor(parts: ProvidersParts) {
    this.#parts = parts;
  }

  /** The reference of resources of a package that have no explicit provider. */
  defaultReference(pkg = "pulumi-nodejs"): string {
    const { name: project, stack } = this.#parts.project;
    const urn = makeUrn({ stack, project }, providerType(pkg), "default", undefined);

    return providerReference(urn, "default");
  }

  /** Makes the default provider available, which is given the stack's configuration whole. */
  configureDefault(config: Properties): void {
    this.configure(this.defaultReference(), config);
  }

  /** Makes a provider available under its reference, with the arguments of its resource. */
  configure(reference: string, config: Properties): void {
    const known = !hasUnknown(config);
    const { type } = parseUrn(parseProviderReference(reference).urn);
    if (!isDynamicType(type)) {
      const provider = this.#mocksFor(type).provider(this.#isDefault(reference) ? "" : reference);
      this.#byReference.set(reference, {
        known,
        mocked: true,
        process: async () => provider,
      });

      return;
    }

    let started: Promise<StartedProvider> | undefined;
    const process = () => {
      started ??= this.#start(config);
      return started;
    };

    this.#byReference.set(reference, { known, mocked: false, process });
  }

  /**
   * The id of an explicit provider that is created, or updated: mocks are asked for those that they
   * answer for.
   */
  async idOf({ type, urn, id, inputs }: ResourceState): Promise<string> {
    if (isDynamicType(type)) return id || randomUUID();
    return (await this.#mocksFor(type).newResource(urn, inputs, { id })).id;
  }

  /**
   * The provider behind a reference; one that the program no longer has is configured from the old
   * state.
   */
  get(reference: string): Provider {
    const present = this.#byReference.get(reference);
    if (present !== undefined) return present;

    const { urn, id } = parseProviderReference(reference);
    const old = this.#parts.olds.find((resource) => resource.urn === urn && resource.id === id);
    if (old === undefined && !this.#isDefault(reference))
      throw new Error(`unknown provider '${reference}'`);

    this.configure(reference, old?.inputs ?? {});

    return this.get(reference);
  }

  /**
   * Starts the process of the default provider ahead of its use where the stack has resources of
   * it: it takes as long to start as the program. A program without any, or that fails, needs none.
   * An error is reported when it is used.
   */
  startDefault(): void {
    const reference = this.defaultReference();
    if (!this.#parts.olds.some(({ provider }) => provider === reference)) return;
    this.get(reference)
      .process()
      .catch(() => {});
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#processes.map(async (process) => (await process).stop()));
  }

  #isDefault(reference: string): boolean {
    const { type } = parseUrn(parseProviderReference(reference).urn);
    return reference === this.defaultReference(type.slice(providerType("").length));
  }

  #mocksFor(type: string): MockedPackages {
    const { mocks } = this.#parts;
    if (mocks !== undefined) return mocks;

    throw new Error(
      `the state has resources of ${type}: give the option mocks, which answers for them`,
    );
  }

  #start(config: Properties): Promise<StartedProvider> {
    const { project, env, diagnostics, killed, startProvider } = this.#parts;
    const { source, cwd, name } = project;
    // An inline program has no directory of its own: the SDK is the one that this package shares
    // with it.
    const script = sdkScript("program" in source ? __dirname : cwd, "dynamic-provider");
    const process = startProvider(
      {
        script,
        cwd,
        // The process resolves bare configuration keys by the project's name, and `new Config()` in
        // it sees only the keys of its own namespace.
        env: {
          ...env,
          PULUMI_NODEJS_PROJECT: name,
          PULUMI_CONFIG: JSON.stringify(ownKeys(config)),
        },
        onLine: (line) => diagnostics.add("info", line),
        killed,
      },
      config,
    );

    this.#processes.push(process);

    return process;
  }
}

function ownKeys(config: Properties): Properties {
  const own = Object.entries(config).filter(([key]) => key.startsWith("pulumi-nodejs:"));
  return Object.fromEntries(own.map(([key, value]) => [key, reveal(value)]));
}
