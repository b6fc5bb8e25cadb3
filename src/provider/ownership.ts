/** Whose a channel is by its record: the stack's own, or one that was there before. */
import type { Properties } from "./boundary";
import type { OperationContext } from "./connection";

/**
 * How to take a channel over, with the package that has its resource.
 * @param urn known to the plugin alone
 */
export function takeOverAdvice(domainId: unknown, id: string, urn: string | undefined): string {
  return urn === undefined
    ? `declare adopt: ${JSON.stringify(id)}`
    : `set the resource option import to ${JSON.stringify(`${domainId}/${id}`)}`;
}

/** How to make an adopted channel the stack's own. */
export function handOverAdvice(
  domainId: unknown,
  id: string,
  { urn }: Pick<OperationContext, "urn">,
): string {
  const next = urn === undefined ? ", run `pulumi up`, then remove adopt" : " and run `pulumi up`";
  return `${takeOverAdvice(domainId, id, urn)}${next}`;
}

/**
 * Whether an object was there before the stack, as far as its record knows, so that no delete of it
 * is sent.
 */
export function isAdopted(record: Properties): boolean {
  return record.adopted === true || declaresAdoption(record);
}

export function declaresAdoption({ adopt }: Properties): boolean {
  return (adopt ?? false) !== false;
}

/**
 * The mark after an update. To declare `adopt` takes its place, so that removing `adopt` hands the
 * channel over.
 */
export function adoptedAfter(olds: Properties, news: Properties): Properties {
  return olds.adopted === true && !declaresAdoption(news) ? { adopted: true } : {};
}
