/**
 * The calls about a channel, on plain values: the core's, with the ids that a plugin is given,
 * imports, and what the dynamic provider has recorded of a channel that it created.
 */

import { canonicalId, isUuid } from "../client/rules";
import {
  guard,
  hasUnknown,
  PROVIDER_KEY,
  type Properties,
  pick,
  type ResourceProvider,
} from "../provider/boundary";
import { notificationChannelProvider } from "../provider/channel";
import { channelKeepers } from "../provider/keepers";
import { NOT_SEEN } from "../provider/managed";
import { announce, title } from "../provider/messages";
import { isManaged } from "../provider/record";
import type { ResourceCall, ResourceCalls } from "./calls";

export function channelCalls(call: ResourceCall): ResourceCalls {
  const { urn, run, warn, options } = call;
  const provider = guard(notificationChannelProvider(warn, run.connection, { call: options, urn }));

  return {
    create: provider.create,

    async check(olds, { adopt, ...news }) {
      // Some SDKs cannot send null, so a missing destination is treated as null.
      const { inputs, failures } = await provider.check(olds, { value: null, ...news });
      // Only the npm package has it.
      const refused = (adopt ?? null) === null ? [] : [{ reason: ADOPT }];

      return { inputs, failures: [...refused, ...failures] };
    },

    async diff(given, recorded, news) {
      const { id, recorded: olds } = identified(given, recorded);
      const found = await provider.diff(id, comparedWith(news, olds), news);

      refuseReplacedImport(id, olds, news, found.replaces);
      if (!run.imported.has(urn)) return found;

      announceUpdate(title(olds, id), found.diffs, call);

      // An update in the same run would make the engine forget by which id the channel was
      // imported, and import it again.
      return { diffs: [], replaces: [] };
    },

    async read(given, properties) {
      if (properties === undefined) return imported(given, provider, call);

      const { id, recorded } = identified(given, properties);
      const read = await provider.read(id, recorded);

      return { ...read, props: { ...pick(recorded, DYNAMIC_TEXT), ...read.props } };
    },

    async update(given, recorded, declared) {
      const { id, recorded: olds } = identified(given, recorded);
      const text = pick(olds, DYNAMIC_TEXT);
      // The text belongs to the record of a failed update as well.
      const { outs } = await provider.update(id, olds, { ...declared, ...text });

      return { ...text, ...outs };
    },

    async delete(given, properties) {
      const { id, recorded } = identified(given, properties);
      refuseUnrecorded(recorded);
      // The engine deletes what an import replaces.
      const isLeft = run.imported.has(urn) && isOnlyImported(recorded);
      if (!isLeft) return provider.delete(id, recorded);

      warn(`${title(recorded, id)} ${REPLACED_IMPORT}`);
    },
  };
}

/** An import records every label as a secret, so one in clear is no difference. */
function comparedWith({ secretLabel }: Properties, olds: Properties): Properties {
  return isOnlyImported(olds) ? { ...olds, secretLabel } : olds;
}

/** Reads a channel by its import. @throws Error if another resource has it */
async function imported(
  given: string,
  provider: ResourceProvider,
  { urn, run, warn }: ResourceCall,
) {
  const { id, recorded } = identified(given, {});
  if (recorded.domainId === undefined) throw new Error(NEEDS_DOMAIN);

  const { connection } = run;
  // Even if the read fails, nothing else may delete what the program declares.
  const keepers = channelKeepers(connection);
  keepers.note(id, urn, "taken");
  const rivalry = keepers.rivalry(id, urn, () => title(recorded, id));
  if (rivalry !== undefined) throw new Error(rivalry.message);

  const read = await provider.read(id, recorded);

  run.imported.add(urn);
  // The program may declare the label as a secret, which an import is not told.
  const secretLabel = true;
  const props = { ...read.props, secretLabel };

  announce(
    { connection, warn },
    `${title(props, read.id)} is imported without its destination, which the service never shows`,
    "Other channels are imported without their destinations as well",
    "An imported destination stays as it is until the program declares value",
    NOT_SEEN,
  );

  return {
    id: read.id,
    props: { ...props, [IMPORTED]: true, addressDigest: connection.addressDigest },
    inputs: { ...read.inputs, secretLabel },
  };
}

/** Only `pulumi do` deletes what is recorded nowhere. */
function refuseUnrecorded({ channelId, domainId }: Properties): void {
  if (channelId === undefined && domainId === undefined)
    throw new Error("to delete a channel that no stack has, pass DOMAIN_ID/CHANNEL_ID");
}

function announceUpdate(named: string, diffs: string[], { run, warn }: ResourceCall): void {
  if (diffs.length === 0) return;

  announce(
    { connection: run.connection, warn },
    `${named} is imported as it is in the service. The next update sets ${diffs.join(", ")} as declared`,
    "Other channels are imported as they are as well. The next update sets what they declare otherwise",
  );
}

/**
 * The dynamic provider's text of a channel that it created: kept, so that the channel can be moved
 * back.
 */
const DYNAMIC_TEXT = [PROVIDER_KEY];

/** Output of a channel that was read by its import, until an update declares it. */
const IMPORTED = "imported";

const NEEDS_DOMAIN =
  "to import a channel, pass DOMAIN_ID/CHANNEL_ID, which a service that shows channels needs: to refer to one without reading it, use get";

const REPLACED_IMPORT =
  "is not deleted, because its resource only imported it and now imports another one: it is dropped from the state and stays in the service";

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

  if (id === undefined) return { id: canonicalId(given), recorded };

  return { id: canonicalId(id), recorded: { ...recorded, domainId, lifecycle: "managed" } };
}

/**
 * Whether this is the record of a channel that was read by its import and that no update has
 * declared since.
 */
function isOnlyImported(recorded: Properties): boolean {
  return recorded[IMPORTED] === true;
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
      ? `${title(olds, id)} was read by its import, and is declared create-only, so it would be replaced: declare lifecycle "managed"`
      : `${title(olds, id)} was read by its import, and is declared with another ${known.join(" and ")}, so it would be replaced: declare what it is, or correct the id of the import`,
  );
}
