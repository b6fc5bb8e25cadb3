/**
 * The calls about a channel, on plain values: the core's, with the ids that a plugin is given,
 * imports, and what the dynamic provider has recorded of a channel that it created.
 */

import { canonicalId, isUuid } from "../client/rules";
import type { Lifecycle } from "../names";
import { guard, hasUnknown, PROVIDER_KEY, type Properties, pick } from "../provider/boundary";
import { notificationChannelProvider } from "../provider/channel";
import { channelKeepers } from "../provider/keepers";
import { isBareImport, isManaged, title } from "../provider/record";
import { type CallContext, type Calls, checkWithoutAdopt } from "./calls";

export function channelCalls(
  urn: string,
  { connection, imported, warn, call }: CallContext,
): Calls {
  const provider = guard(notificationChannelProvider(warn, connection, { call, urn }));

  /**
   * Reads a channel that was imported by its id alone: only the declaration says in which domain it
   * is.
   */
  async function readAsDeclared(id: string, news: Properties): Promise<Properties> {
    const { props } = await provider.read(id, pick(news, ["domainId", "lifecycle"]));
    const read = { ...props, [IMPORTED]: true };
    const { replaces } = await provider.diff(id, read, news);

    refuseReplacedImport(id, read, news, replaces);

    return read;
  }

  return {
    create: provider.create,

    async check(olds, news) {
      // `pulumi import` checks without inputs, and reports a problem as a bug of the plugin.
      if (imported.get(urn)?.inService === false && Object.keys(news).length === 0) {
        warn(importedById(connection.lifecycle));
        return { inputs: {}, reasons: [] };
      }

      // Some SDKs cannot send null, so a missing destination is treated as null.
      return checkWithoutAdopt(provider, olds, { value: null, ...news }, ADOPT);
    },

    async diff(given, recorded, news) {
      const { id, recorded: olds } = identified(given, recorded);
      const { changes, diffs, replaces } = await provider.diff(id, olds, news);

      refuseReplacedImport(id, olds, news, replaces);
      if (!imported.get(urn)?.inService) return { diffs, replaces };

      if (changes)
        warn(
          `${title(olds, id)} is imported as it is in the service. The next update sets ${diffs.join(", ")} as declared`,
        );

      // An update in the same run would make the engine forget by which id the channel was
      // imported, and import it again.
      return { diffs: [], replaces: [] };
    },

    async read(given, properties) {
      const { id, recorded } = identified(given, properties ?? {});
      // It keeps the channel even if the read fails: nothing else may delete what the program
      // declares.
      if (!properties) channelKeepers(connection).take(id, urn);
      const read = await provider.read(id, recorded);

      if (!properties) {
        const inService = id !== given;
        imported.set(urn, { inService });
        if (inService) {
          read.props[IMPORTED] = true;
          warn(
            `${title(read.props, read.id)} is read without its destination, which the service never shows: it stays as it is until the program declares value`,
          );
        }
      }

      // An import needs inputs, even if they are empty.
      const inputs = properties ? read.inputs : { ...read.inputs };

      return {
        ...read,
        props: { ...pick(recorded, DYNAMIC_TEXT), ...read.props },
        inputs,
      };
    },

    async update(given, recorded, declared) {
      const { id, recorded: olds } = identified(given, recorded);
      const text = pick(olds, DYNAMIC_TEXT);
      // The text belongs to the record of a failed update as well.
      const news = { ...declared, ...text };
      const before = isBareImport(olds) && isManaged(news) ? await readAsDeclared(id, news) : olds;
      const { outs } = await provider.update(id, before, news);

      return { ...text, ...outs };
    },

    async delete(given, properties) {
      const { id, recorded } = identified(given, properties);
      // Only `pulumi do` deletes what is recorded nowhere.
      if (recorded.channelId === undefined && recorded.domainId === undefined)
        throw new Error("to delete a channel that no stack has, pass DOMAIN_ID/CHANNEL_ID");

      // The engine deletes what an import replaces.
      const isLeft = imported.has(urn) && isOnlyImported(recorded);
      if (!isLeft) return provider.delete(id, recorded);

      warn(
        `${title(recorded, id)} is not deleted, because its resource only imported it and now imports another one: it is dropped from the state and stays in the service`,
      );
    },
  };
}

/**
 * The dynamic provider's text of a channel that it created: kept, so that the channel can be moved
 * back.
 */
const DYNAMIC_TEXT = [PROVIDER_KEY];

/** Output of a channel that was read by its import, until an update declares it. */
const IMPORTED = "imported";

const ADOPT =
  "adopt is not an input of the plugin: remove it, and set the resource option import to DOMAIN_ID/CHANNEL_ID";

/**
 * The channel that an id names, and what is known of it: `DOMAIN_ID/CHANNEL_ID` is a channel of a
 * service that has the managed lifecycle. An id that is recorded already is taken as it is. @throws
 * Error if it names none
 */
function identified(given: string, recorded: Properties): { id: string; recorded: Properties } {
  const [domainId = "", id, ...rest] = given.split("/");
  const isChannel = id === undefined && (recorded.channelId !== undefined || isUuid(given));
  const isPair = isUuid(id) && domainId.trim() !== "" && rest.length === 0;

  if (!isChannel && !isPair)
    throw new Error("the id is not a channel's UUID or DOMAIN_ID/CHANNEL_ID: correct it");

  return id === undefined
    ? { id: canonicalId(given), recorded }
    : {
        id: canonicalId(id),
        recorded: {
          ...recorded,
          domainId,
          lifecycle: "managed",
        },
      };
}

/** Warning about a channel that is imported by its id alone. */
function importedById(lifecycle: Lifecycle): string {
  const next =
    lifecycle === "managed"
      ? ": declare it in the program, and the next update sets what is declared, including the destination. An import of " +
        "DOMAIN_ID/CHANNEL_ID reads the channel"
      : ", because create-only channels are never read: declare it in the program as it is in the service, and the next update takes " +
        "it over without a request";

  return `Only the id of this channel is known${next}`;
}

/**
 * Whether this is the record of a channel that was read by its import and that no update has
 * declared since.
 */
function isOnlyImported(recorded: Properties): boolean {
  // Earlier versions did not name it: their record only lacks the destination.
  return recorded[IMPORTED] === true || (isManaged(recorded) && !("value" in recorded));
}

/**
 * A replacement would delete the channel that was to be kept, with a destination that nobody can
 * read.
 */
function refuseReplacedImport(
  id: string,
  olds: Properties,
  news: Properties,
  replaces: readonly string[],
): void {
  const known = replaces.filter((name) => !hasUnknown(news[name]));
  if (!isOnlyImported(olds) || known.length === 0) return;

  const isCreateOnly = !isManaged(news) && !hasUnknown(news.lifecycle);

  throw new Error(
    isCreateOnly
      ? `${title(olds, id)} was read by its import, and is declared create-only, so it would be replaced: declare lifecycle "managed", or import it by the channel's id alone`
      : `${title(olds, id)} was read by its import, and is declared with another ${known.join(" and ")}, so it would be replaced: declare what it is, or correct the id of the import`,
  );
}
