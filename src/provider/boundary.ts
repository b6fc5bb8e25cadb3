/**
 * The border between our code and the engine's dynamic-provider process, which is easily hurt: an error with an `id`
 * counts as a partly created resource, one with `details` or a numeric `code` changes the message, `undefined` or a
 * bigint in a result fails after the work was done, and what cannot be packed is never answered, so that the deployment hangs.
 *
 * Whatever is thrown inside leaves as a plain Error with one message; whatever is returned leaves as plain JSON.
 */

/** Properties of a resource, as the engine hands them over: secrets in clear, unknowns as a text. */
export type Properties = Record<string, unknown>;

/** The key under which the engine carries the provider's text. */
export const PROVIDER_KEY = "__provider";

/** A problem of one input. The property is left empty: the engine prints the value of a property that is named. */
export interface CheckFailure {
  property: string;
  reason: string;
}

/** What a dynamic resource's provider does (the SDK's `dynamic.ResourceProvider`, on plain values). */
export interface ResourceProvider {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: CheckFailure[] }>;
  diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id: string; props: Properties; inputs: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** Thrown by `create` where the resource exists but its record is incomplete: the engine keeps it and tries to update it. */
export class PartlyCreated extends Error {
  constructor(
    readonly resourceId: string,
    readonly outs: Properties,
    message: string,
  ) {
    super(message);
  }
}

/** Puts the border around a provider. */
export function guard(provider: ResourceProvider): ResourceProvider {
  return {
    // The process does not wait for configure and caches the provider before it: nothing here may throw or wait.
    configure: (request) => provider.configure(request),
    check: (olds, news) => cross(news, () => provider.check(own(olds), own(news))),
    diff: (id, olds, news) => cross(news, () => provider.diff(id, own(olds), own(news))),
    create: (inputs) => cross(inputs, () => provider.create(own(inputs))),
    read: (id, props) => cross(props, () => provider.read(id, own(props))),
    update: (id, olds, news) => cross(news, () => provider.update(id, own(olds), own(news))),
    delete: (id, props) => cross(props, () => provider.delete(id, own(props))),
  };
}

async function cross<T>(properties: Properties, work: () => Promise<T>): Promise<T> {
  try {
    return plainJson(await work());
  } catch (error) {
    throw error instanceof PartlyCreated ? partial(error, properties[PROVIDER_KEY]) : plain(describe(error));
  }
}

/** The properties that are ours. */
function own(properties: Properties | undefined): Properties {
  const { [PROVIDER_KEY]: _text, ...rest } = properties ?? {};
  return rest;
}

/** The process prints message and stack of what `check`, `diff` and `delete` throw: an empty stack leaves the message. */
function plain(message: string): Error {
  const error = new Error(message);
  error.stack = "";
  return error;
}

/** Of a partial create the engine prints the reasons only; without the provider's text it could never touch the resource again. */
function partial(error: PartlyCreated, providerText: unknown): Error {
  return Object.assign(plain(error.message), {
    id: error.resourceId,
    properties: plainJson({ ...error.outs, [PROVIDER_KEY]: providerText }),
    reasons: [error.message],
  });
}

/** A message for anything that can be thrown, also for what resists being read. */
export function describe(thrown: unknown): string {
  try {
    if (typeof thrown === "object" && thrown !== null && "message" in thrown) return String(thrown.message);
    return thrown === undefined ? "failed without saying why" : String(thrown);
  } catch {
    return "failed with an error that cannot be read";
  }
}

/** The value as JSON can hold it; a Struct takes nothing else. */
function plainJson<T>(value: T): T {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? String(item) : item)));
}
