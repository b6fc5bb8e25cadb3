/**
 * The boundary to the engine's dynamic-provider process, which mishandles unusual values: an error
 * with an `id` counts as a partly created resource, `details` or a numeric `code` changes its
 * message, `undefined` or a bigint in a result fails after the work was done, as does half a
 * character or the mark of an unknown value in a text of the service, and a value that cannot be
 * serialized gets no response, so that the deployment hangs.
 *
 * Every error leaves as a plain Error with one message, every result as plain JSON.
 */

import { canonicalId, isId } from "../client/rules";
import { messageOf, withoutCommands } from "../common/text";

/**
 * Properties of a resource as the engine sends them: secrets in clear, unknown values as a marker
 * string.
 */
export type Properties = Record<string, unknown>;

export function pick(properties: Properties, names: readonly string[]): Properties {
  const known = names.filter((name) => properties[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, properties[name]]));
}

/** The key of the provider's text among the properties. */
export const PROVIDER_KEY = "__provider";

/** The SDK's `dynamic.ResourceProvider`, on plain values. */
export interface ResourceProvider {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;

  /** `property` of a failure stays empty, because the engine prints the value of a named one. */
  check(
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;

  /**
   * `diffs`, which only the plugin reads, are the inputs that differ or are not known yet;
   * `replaces` are among them.
   */
  diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes: boolean; diffs: string[]; replaces: string[] }>;

  /** @throws PartialFailure if the resource exists, but what is known of it is incomplete */
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;

  /**
   * An empty id means that the resource is gone. Without inputs the engine keeps the recorded ones.
   */
  read(
    id: string,
    props: Properties,
  ): Promise<{ id: string; props: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/**
 * Thrown by `create` and `update` if the resource exists but what is known of it is incomplete: the
 * engine records these outputs, reports the failure, and updates the resource the next time,
 * whether or not there is a difference.
 */
export class PartialFailure extends Error {
  /**
   * @param otherwise the message if the outputs are too large for the engine's error: nothing is
   * recorded then
   */
  constructor(
    readonly resourceId: string,
    readonly outs: Properties,
    message: string,
    readonly otherwise = message,
  ) {
    super(message);
  }
}

/** Wraps a provider so that only plain errors and results leave it. */
export function guard(provider: ResourceProvider): ResourceProvider {
  return {
    // The process does not await `configure`, so it must neither throw nor wait.
    configure: (request) => provider.configure(request),
    check: (olds, news) =>
      // In a preview the inputs that it returns may be unknown.
      runGuarded(news, () => provider.check(received(olds), received(news)), true),
    diff: (id, olds, news) =>
      runGuarded(news, () => provider.diff(canonicalId(id), received(olds), received(news))),
    create: (inputs) =>
      runGuarded(inputs, async () =>
        withoutNewCommands(await provider.create(received(inputs)), inputs),
      ),
    read: (id, props) => {
      // A reference in a preview has values that are not known yet.
      const keepsUnknown = hasUnknown(props);
      const read = async () =>
        withoutNewCommands(await provider.read(canonicalId(id), received(props)), props);

      return runGuarded(props, read, keepsUnknown);
    },
    update: (id, olds, news) => {
      const update = () => provider.update(canonicalId(id), received(olds), received(news));
      return runGuarded(news, async () => withoutNewCommands(await update(), { olds, news }));
    },
    delete: (id, props) =>
      runGuarded(props, () => provider.delete(canonicalId(id), received(props))),
  };
}

/**
 * Runs a call so that only a plain error or result leaves it. `properties` belong to its resource.
 */
export async function runGuarded<T>(
  properties: Properties,
  work: () => Promise<T>,
  keepsUnknown = false,
): Promise<T> {
  try {
    return plainJson(await work(), keepsUnknown);
  } catch (error) {
    throw translate(error, properties);
  }
}

/**
 * A result in which no text is a command to a pipeline, because the engine shows texts that differ.
 * Texts that were declared or recorded before stay as they are.
 */
function withoutNewCommands<T>(result: T, before: Properties): T {
  const known = JSON.stringify(before);
  const harmlessText = (text: string) =>
    known.includes(JSON.stringify(text)) ? text : withoutCommands(text);

  const replacer = (_key: string, value: unknown) =>
    typeof value === "string" ? harmlessText(value) : value;

  return JSON.parse(jsonOf(result), replacer);
}

/** Properties without the provider's text, and with ids in one spelling. */
function received({ [PROVIDER_KEY]: _text, ...properties }: Properties): Properties {
  for (const name of ["domainId", "adopt", "channelId"]) {
    const id = properties[name];
    if (typeof id === "string") properties[name] = canonicalId(id);
  }

  return properties;
}

/**
 * The engine prints only the reasons of a partial create, and needs the provider's text to update
 * the resource later.
 */
function translate(thrown: unknown, { [PROVIDER_KEY]: providerText }: Properties): Error {
  if (!(thrown instanceof PartialFailure)) return plainError(describe(thrown));

  const properties: Properties = plainJson({ ...thrown.outs, [PROVIDER_KEY]: providerText });
  // The engine knows only whether what is declared now is secret.
  const { label, secretLabel } = properties;

  if (secretLabel === true && typeof label === "string") properties.label = wrapSecret(label);
  if (Buffer.byteLength(JSON.stringify(properties)) > MAX_PROPERTIES)
    return plainError(thrown.otherwise);

  const reason = plainError(thrown.message);

  return Object.assign(reason, {
    id: thrown.resourceId,
    properties,
    reasons: [reason.message],
  });
}

/** The process prints message and stack of an error, so the stack is empty. */
function plainError(message: string): Error {
  const error = new Error(bounded(message));
  error.stack = "";

  return error;
}

/**
 * Errors are sent in an HTTP/2 trailer, and one of more than 64 KiB is never sent, so that the
 * deployment hangs. A character takes up to 9 bytes there, and 17 in a partial create, which
 * repeats the message as its reason.
 */
const MAX_MESSAGE = 2_000;
const MAX_PROPERTIES = 16_384;

/**
 * Cut in the middle: the beginning of a message says what happened, its end what may be left
 * behind. A lone surrogate cannot be encoded, and such a response would never be sent.
 */
export function bounded(message: string): string {
  const half = MAX_MESSAGE / 2 - 2;
  const short =
    message.length > MAX_MESSAGE ? `${message.slice(0, half)} … ${message.slice(-half)}` : message;

  return harmless(withoutCommands(short));
}

/** The message of a thrown value, never empty. */
export function describe(thrown: unknown): string {
  return messageOf(thrown) || "failed without saying why";
}

/** The value as plain JSON, which is all that a protobuf Struct can hold. */
function plainJson<T>(value: T, keepsUnknown = false): T {
  if (value === undefined) return value;
  return harmless(JSON.parse(jsonOf(value)), keepsUnknown);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? String(item) : item));
}

/**
 * The key by which the engine tells its own envelopes from a program's objects, and the value for a
 * secret.
 */
export const SECRET_MARKER = {
  key: "4dabf18193072939515e22adb298388d",
  value: "1b47061264138c4ac30d75fd1eb44270",
} as const;

/**
 * The marks of unknown values by type: in a preview the engine sends one in place of a value, at
 * any depth (pulumi/pulumi#6310). The Node SDK has one of them, as `runtime.unknownValue`, but the
 * provider must not load the SDK.
 */
export const UNKNOWN_VALUES = {
  boolean: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  number: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  string: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  array: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  asset: "030794c1-ac77-496b-92df-f27374a8bd58",
  archive: "e48ece36-62e2-4504-bad9-02848725956a",
  object: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
} as const;

/** The mark that Node's SDK sends for a value of any type. */
export const UNKNOWN = UNKNOWN_VALUES.string;

const MARKS: ReadonlySet<unknown> = new Set(Object.values(UNKNOWN_VALUES));

/** Whether a value is the mark of an unknown value. */
export function isUnknown(value: unknown): boolean {
  return MARKS.has(value);
}

/** Whether a value is or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isUnknown(value);
  return Object.values(value).some(hasUnknown);
}

/** Whether an id of the service can be recorded: the engine would take a mark for an unknown one. */
export function isRecordable(id: string): boolean {
  return isId(id) && !isUnknown(id);
}

/** A value that the engine encrypts in the state and does not print. */
export function wrapSecret(value: unknown): Record<string, unknown> {
  return { [SECRET_MARKER.key]: SECRET_MARKER.value, value };
}

/**
 * A copy of a value that the engine takes literally: lone surrogates, which gRPC cannot encode,
 * become U+FFFD, and a text or key of the service that equals one of the engine's marks is altered.
 * @param keepsUnknown whether the marks of unknown values may be the engine's own
 */
export function harmless<T>(value: T, keepsUnknown?: boolean): T;

export function harmless(value: unknown, keepsUnknown = false): unknown {
  if (typeof value === "string") {
    const text = value.replace(/\p{Surrogate}/gu, "\ufffd");
    const isMark = text === SECRET_MARKER.key || (isUnknown(text) && !keepsUnknown);

    return isMark ? `\ufffd${text.slice(1)}` : text;
  }

  if (Array.isArray(value)) return value.map((item) => harmless(item, keepsUnknown));
  if (typeof value !== "object" || value === null) return value;

  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [harmless(key), harmless(item, keepsUnknown)]),
  );
}
