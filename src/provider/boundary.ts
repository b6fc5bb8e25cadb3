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
    check: (olds, news) => runGuarded(news, () => provider.check(own(olds), own(news))),
    diff: (id, olds, news) => runGuarded(news, () => provider.diff(id, own(olds), own(news))),
    create: (inputs) => runGuarded(inputs, () => provider.create(own(inputs))),
    read: (id, props) => runGuarded(props, () => provider.read(id, own(props))),
    update: (id, olds, news) => runGuarded(news, () => provider.update(id, own(olds), own(news))),
    delete: (id, props) => runGuarded(props, () => provider.delete(id, own(props))),
  };
}

async function runGuarded<T>(properties: Properties, work: () => Promise<T>): Promise<T> {
  try {
    return plainJson(await work());
  } catch (error) {
    throw translate(error, properties);
  }
}

/** The properties that are ours. */
function own(properties: Properties | undefined): Properties {
  const { [PROVIDER_KEY]: _text, ...rest } = properties ?? {};
  return rest;
}

function translate(thrown: unknown, properties: Properties | undefined): Error {
  try {
    if (thrown instanceof PartlyCreated) return partial(thrown, properties?.[PROVIDER_KEY]);
  } catch {
    // A proxy can resist even this question, and what cannot be packed is told as a plain failure.
  }
  return plain(describe(thrown));
}

/** The process prints message and stack of what `check`, `diff` and `delete` throw: an empty stack leaves the message. */
function plain(message: string): Error {
  const error = new Error(bounded(message));
  error.stack = "";
  return error;
}

/**
 * Of a partial create the engine prints the reasons only; without the provider's text it could never touch the resource again.
 * @throws RangeError where the properties do not fit into an answer
 */
function partial(error: PartlyCreated, providerText: unknown): Error {
  const properties = plainJson({ ...error.outs, [PROVIDER_KEY]: providerText });
  if (Buffer.byteLength(JSON.stringify(properties)) > LONGEST_PROPERTIES) throw new RangeError();
  const reason = plain(error.message);
  return Object.assign(reason, { id: error.resourceId, properties, reasons: [reason.message] });
}

/**
 * An error travels in an HTTP/2 trailer, and one of more than 64 KiB is never sent: the call would have no answer and the
 * deployment no end. A character can take 9 bytes there, and 17 where it is also the reason of a partial create.
 */
const LONGEST_MESSAGE = 2_000;
const LONGEST_PROPERTIES = 16_384;

/**
 * Cut in the middle: how a message begins says what happened, how it ends says what may be left behind.
 * Half a surrogate pair, from a cut or from the service, could not be encoded and would go unanswered just so.
 */
function bounded(message: string): string {
  const half = LONGEST_MESSAGE / 2 - 2;
  const short =
    message.length > LONGEST_MESSAGE ? `${message.slice(0, half)} … ${message.slice(-half)}` : message;
  return short.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** A message for anything that can be thrown, also for what resists being read. */
export function describe(thrown: unknown): string {
  try {
    const isObject = typeof thrown === "object" && thrown !== null;
    const said = isObject && "message" in thrown ? thrown.message : thrown;
    const text = typeof said === "object" || said === undefined ? "" : String(said);
    return text === "" ? "failed without saying why" : text;
  } catch {
    return "failed with an error that cannot be read";
  }
}

/** The value as JSON can hold it; a Struct takes nothing else. */
function plainJson<T>(value: T): T {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? String(item) : item)));
}
