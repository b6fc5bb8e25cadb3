/**
 * Whose an object is that a create leads to. It is the stack's own only if it is what was asked
 * for, is not known to have been there before the request, and no other resource has it. Anything
 * else is recorded as adopted, so that nothing deletes it.
 */
import { toInstantWithOffset } from "../client/timestamps";
import type { Properties } from "./boundary";
import type { Connection } from "./connection";

/** Seconds of the service's dates are cut off, on both sides of a comparison. */
const PRECISION_MS = 2_000;

/**
 * Difference that clocks within a service may have: the one that dates objects, and the one of its
 * answers.
 */
const CLOCK_SKEW_MS = 60_000;

/**
 * Milliseconds by which an object is older than a request, by the service's clock; negative if it
 * is younger. Undefined if the service states no time, or the date cannot be read.
 * @param since beginning of the request by this machine's clock
 */
export function ageAt(
  since: number,
  createdAt: string,
  { clockOffsetMs }: Pick<Connection, "clockOffsetMs">,
): number | undefined {
  const created = toInstantWithOffset(createdAt)?.getTime();
  if (created === undefined || clockOffsetMs === undefined) return undefined;

  return since + clockOffsetMs - created;
}

/** Why an object that a create returned may not be a new one of this stack; undefined if it is. */
export function doubtAbout(
  what: "channel" | "domain",
  found: { isHeld: boolean; age: number | undefined; isDeclared: boolean },
): string | undefined {
  const answered = `the service answered with a ${what}`;
  if (found.isHeld)
    return `${answered} that was there before, or that another resource of this stack has`;
  if (found.age !== undefined && found.age > CLOCK_SKEW_MS)
    return `${answered} that is older than the request`;

  return found.isDeclared ? undefined : `${answered} other than the declared one`;
}

/** @param adopt value of the input with which the program adopts the object itself */
export function recordedAsAdopted(title: string, doubt: string, adopt: string): string {
  return (
    `${title}: ${doubt}. It is recorded as adopted, so nothing in this stack deletes it. To hand it over to the stack, declare ` +
    `adopt: ${adopt}, run \`pulumi up\`, then remove adopt`
  );
}

/**
 * Whether an object that a list has after a lost create is known to be younger than the request.
 */
export function isCreatedSince(age: number | undefined): boolean {
  return age !== undefined && age <= PRECISION_MS;
}

/**
 * Whether an object was there before the stack, as far as its record knows, so that no delete of it
 * is sent.
 */
export function isAdopted(record: Properties): boolean {
  return record.adopted === true || declaresAdoption(record);
}

function declaresAdoption({ adopt }: Properties): boolean {
  return (adopt ?? false) !== false;
}

/**
 * The marks after an update. To declare `adopt` takes the place of the mark, so that removing it
 * hands the object over.
 */
export function marksAfter(olds: Properties, news: Properties): Properties {
  const { adopted, otherDomains, addressDigest } = olds;
  const marks: Properties = {};

  if (adopted === true && !declaresAdoption(news)) marks.adopted = true;
  if (otherDomains !== undefined) marks.otherDomains = otherDomains;
  if (addressDigest !== undefined) marks.addressDigest = addressDigest;

  return marks;
}

/**
 * Ids of objects that a resource has adopted, so that no other resource of the stack deletes them.
 */
export class AdoptedIds {
  readonly #marks = new Map<string, AbortController>();

  add(id: string): void {
    this.#markOf(id).abort();
  }

  has(id: string): boolean {
    return this.signal(id).aborted;
  }

  /** Takes the mark back after an adoption that failed. */
  release(id: string): void {
    this.#marks.delete(id.toLowerCase());
  }

  /** Fires when the object is adopted, which stops a delete that has not been sent yet. */
  signal(id: string): AbortSignal {
    return this.#markOf(id).signal;
  }

  #markOf(id: string): AbortController {
    const key = id.toLowerCase();
    const mark = this.#marks.get(key) ?? new AbortController();
    this.#marks.set(key, mark);

    return mark;
  }
}
