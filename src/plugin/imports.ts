/** Imports: by a channel's id alone, of which nothing else is known, or with its domain's, by which a service may show it. */
import { isUuid } from "../common/uuid";
import type { Lifecycle } from "../names";
import type { Properties } from "../provider/boundary";
import { hasUnknown } from "../provider/inputs";
import { isManaged, title } from "../provider/record";

/**
 * The channel to read, by its id and what is recorded of it: `DOMAIN_ID/CHANNEL_ID` is a channel of a service that has the
 * managed lifecycle. An id that is recorded already is taken as it is. @throws Error if it is none
 */
export function identified(
  given: string,
  recorded: Properties,
  isImport: boolean,
): { id: string; recorded: Properties } {
  const [domainId = "", id, ...rest] = given.split("/");
  const isWrong = id === undefined ? isImport && !isUuid(given) : domainId.trim() === "" || !isUuid(id);
  if (isWrong || rest.length > 0)
    throw new Error(
      "the id is neither that of a channel nor DOMAIN_ID/CHANNEL_ID, with the channel's UUID: correct it",
    );
  return id === undefined
    ? { id: given, recorded }
    : { id, recorded: { ...recorded, domainId, lifecycle: "managed" } };
}

/** Warning about a channel that was read for an import. */
export function readForImport(id: string, properties: Properties): string {
  return `${title(properties, id)} is read without its destination, which the service does not show. The next update sets what is declared`;
}

/** Warning about a channel that is to be deleted by the run in which its own resource imports it again. */
export function keptForImport(id: string, properties: Properties): string {
  return `${title(properties, id)} is not deleted, as its resource imports it again`;
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

/** Otherwise the program's destination, of which none is known, would replace the channel that was to be kept. */
export function refuseReplacedImport(id: string, olds: Properties, news: Properties): void {
  const isImported = isManaged(olds) && !("value" in olds);
  if (!isImported || isManaged(news) || hasUnknown(news.lifecycle)) return;
  throw new Error(
    `${title(olds, id)} was read by its import, and is declared create-only, so it would be replaced: declare lifecycle "managed", or import it by the channel's id alone`,
  );
}
