/**
 * The calls about one resource, on plain values: those of the core, with the ids that a plugin is given, imports, and what the
 * dynamic provider has recorded of a channel that it created.
 */
import type { CallOptions } from "../client/types";
import { guard, PROVIDER_KEY, type Properties, pick, type ResourceProvider } from "../provider/boundary";
import type { Connection } from "../provider/connection";
import { notificationChannelProvider } from "../provider/notification-channel";
import { isBareImport, isManaged } from "../provider/record";
import {
  ADOPT,
  changedNext,
  identified,
  importedById,
  isOnlyImported,
  keptForImport,
  readForImport,
  refuseReplacedImport,
  refuseUnknown,
} from "./imports";

/** By URN, what this process has read for an import: the id, and whether it was read in the service. */
export type Imported = Map<string, { id: string; inService: boolean }>;

/** What the calls share. */
export interface Context {
  connection: Connection;
  imported: Imported;
  /** Shows a line. */
  warn: (line: string) => void;
  call: Pick<CallOptions, "timeoutMs">;
}

export class Channel {
  readonly #provider: ResourceProvider;

  constructor(
    private readonly urn: string,
    private readonly context: Context,
  ) {
    const { warn, connection, call } = context;
    this.#provider = guard(notificationChannelProvider(warn, connection, call));
  }

  async check(olds: Properties, news: Properties): Promise<{ inputs: Properties; reasons: string[] }> {
    const { connection, warn } = this.context;
    // `pulumi import` asks so, and would call a problem a bug of this plugin.
    if (this.#import?.inService === false && Object.keys(news).length === 0) {
      warn(importedById(connection.lifecycle));
      return { inputs: {}, reasons: [] };
    }
    // Null does not travel from every language, so a missing destination means it.
    const { adopt = null, ...declared } = { value: null, ...news };
    const { inputs, failures } = await this.#provider.check(olds, declared);
    return { inputs, reasons: [...(adopt === null ? [] : [ADOPT]), ...failures.map(({ reason }) => reason)] };
  }

  async diff(
    given: string,
    recorded: Properties,
    news: Properties,
  ): Promise<{ diffs: string[]; replaces: string[] }> {
    const { id, recorded: olds } = identified(given, recorded);
    const { changes, diffs, replaces } = await this.#provider.diff(id, olds, news);
    refuseReplacedImport(id, olds, news, replaces);
    if (!this.#import?.inService) return { diffs, replaces };
    if (changes) this.context.warn(changedNext(id, olds, diffs));
    // An update in the same run would make the engine forget by which id the channel was imported, and import it again.
    return { diffs: [], replaces: [] };
  }

  create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    return this.#provider.create(inputs);
  }

  /** @param given what is recorded; undefined for an import */
  async read(
    givenId: string,
    given: Properties | undefined,
  ): Promise<{ id: string; props: Properties; inputs: Properties }> {
    const { imported, warn } = this.context;
    const { id, recorded } = identified(givenId, given ?? {});
    const read = await this.#provider.read(id, recorded);
    const inService = id !== givenId;
    if (!given) imported.set(this.urn, { id: read.id, inService });
    if (!given && inService) warn(readForImport(read.id, read.props));
    return { ...read, props: { ...dynamicText(recorded), ...read.props } };
  }

  async update(given: string, recorded: Properties, declared: Properties): Promise<Properties> {
    const { id, recorded: olds } = identified(given, recorded);
    const text = dynamicText(olds);
    // With the text, which is part of what a failed update records, too.
    const news = { ...declared, ...text };
    const before = isBareImport(olds) && isManaged(news) ? await this.#readAsDeclared(id, news) : olds;
    const { outs } = await this.#provider.update(id, before, news);
    return { ...text, ...outs };
  }

  async delete(given: string, properties: Properties): Promise<void> {
    const { id, recorded } = identified(given, properties);
    refuseUnknown(recorded);
    // The engine deletes what an import replaces, in the same run, even if the resource imports its own channel again.
    const isItself = this.#import?.id.toLowerCase() === id.toLowerCase();
    if (this.#import && (isItself || isOnlyImported(recorded)))
      return this.context.warn(keptForImport(id, recorded, isItself));
    await this.#provider.delete(id, recorded);
  }

  get #import() {
    return this.context.imported.get(this.urn);
  }

  /** Of a channel that was imported by its id alone, the declaration says in which domain it can be read. */
  async #readAsDeclared(id: string, news: Properties): Promise<Properties> {
    const { props } = await this.#provider.read(id, pick(news, ["domainId", "lifecycle"]));
    const { replaces } = await this.#provider.diff(id, props, news);
    refuseReplacedImport(id, props, news, replaces);
    return props;
  }
}

/** The dynamic provider's text of a channel that it created: kept, so that the channel can be moved back. */
function dynamicText(recorded: Properties): Properties {
  const text = recorded[PROVIDER_KEY];
  return text === undefined ? {} : { [PROVIDER_KEY]: text };
}
