/** Channels that a plugin is told of by an id: imports, reads, and `pulumi do`, which records nothing. */

import { hasUnknown } from "../common/markers";
import { isUuid } from "../common/uuid";
import type { Lifecycle } from "../names";
import type { Properties } from "../provider/boundary";
import { isManaged, title } from "../provider/record";

/**
 * The channel that an id names, and what is known of it: `DOMAIN_ID/CHANNEL_ID` is a channel of a service that has the managed
 * lifecycle. An id that is recorded already is taken as it is. @throws Error if it names none
 */
export function identified(given: string, recorded: Properties): { id: string; recorded: Properties } {
  const [domainId = "", id, ...rest] = given.split("/");
  const isRecorded = recorded.channelId !== undefined;
  const isWrong = id === undefined ? !isRecorded && !isUuid(given) : domainId.trim() === "" || !isUuid(id);
  if (isWrong || rest.length > 0)
    throw new Error(
      "the id is neither that of a channel nor DOMAIN_ID/CHANNEL_ID, with the channel's UUID: correct it",
    );
  return id === undefined
    ? { id: given, recorded }
    : { id, recorded: { ...recorded, domainId, lifecycle: "managed" } };
}

/** Only `pulumi do` deletes what is recorded nowhere. */
export function refuseUnknown(recorded: Properties): void {
  if (recorded.channelId === undefined && recorded.domainId === undefined)
    throw new Error(
      "a channel that no stack has is deleted by DOMAIN_ID/CHANNEL_ID only: give the id of its domain, too",
    );
}

/** Warning about a channel that was read for an import. */
export function readForImport(id: string, properties: Properties): string {
  return `${title(properties, id)} is read without its destination, which the service does not show and which stays as it is until the program declares value`;
}

/** Warning about what an import leaves to the next update. */
export function changedNext(id: string, properties: Properties, names: readonly string[]): string {
  return `${title(properties, id)} is imported as it is in the service. The next update sets ${names.join(", ")} as declared`;
}

/** Warning about a channel that is not to be deleted by the run in which its own resource imports this or another one. */
export function keptForImport(id: string, properties: Properties, isItself: boolean): string {
  const why = isItself
    ? "its resource imports it again"
    : "its resource only imported it and now imports another one: it leaves the stack and stays in the service";
  return `${title(properties, id)} is not deleted, as ${why}`;
}

/** Warning about a channel that is imported by its id alone. */
export function importedById(lifecycle: Lifecycle): string {
  return `Nothing but the id of this channel is known${lifecycle === "managed" ? NEXT_MANAGED : NEXT}`;
}

const NEXT =
  ", as the service cannot be asked for it: declare it in the program as it is in the service, and the next update takes it over " +
  "without a request";
const NEXT_MANAGED =
  ": declare it in the program, and the next update sets what is declared, the destination too. An import of " +
  "DOMAIN_ID/CHANNEL_ID reads the channel";

/** A problem of an input that only the npm package has. */
export const ADOPT =
  "adopt is not an input of the plugin: take it out, and set the resource option import to DOMAIN_ID/CHANNEL_ID";

/** Whether this is the record of a channel that was read by its import and that no update has declared since. */
export function isOnlyImported(recorded: Properties): boolean {
  return isManaged(recorded) && !("value" in recorded);
}

/** A replacement would delete the channel that was to be kept, with a destination that nobody can read. */
export function refuseReplacedImport(
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
