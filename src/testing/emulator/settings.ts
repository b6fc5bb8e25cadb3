/** What the options come to: each one checked, and those that were left out decided. */
import { randomBytes } from "node:crypto";
import { toInstant } from "../../client/timestamps";
import type { EmulatorOptions, ListOrder } from "./types";
import { isWhole } from "./whole-number";

const LIST_ORDERS: readonly ListOrder[] = ["newest-first", "oldest-first", "shuffled"];

/** Every status that says "done" in an answer with a body. */
const CREATE_STATUSES = [200, 201, 202, 203, 206, 207, 208, 226] as const;

/** The options that shape answers, each with a value. */
export interface Settings
  extends Required<Pick<EmulatorOptions, "token" | "listOrder" | "changeDomainId" | "newChannels">>,
    Pick<EmulatorOptions, "extraFields" | "rateLimit"> {
  createStatus: (typeof CREATE_STATUSES)[number];
}

/**
 * @throws TypeError for a token that no request could carry
 * @throws RangeError for any other option that cannot be followed
 */
export function settingsOf(options: EmulatorOptions): Settings {
  const { token = randomBytes(20).toString("hex"), seed, rateLimit } = options;
  const { listOrder = "newest-first", changeDomainId = "integer" } = options;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError("the token must be visible ASCII characters without spaces");
  const createStatus = CREATE_STATUSES.find((status) => status === (options.createStatus ?? 201));
  if (createStatus === undefined)
    throw new RangeError(
      `\`createStatus\` must say "done" in an answer with a body: one of ${CREATE_STATUSES.join(", ")}`,
    );
  if (!LIST_ORDERS.includes(listOrder))
    throw new RangeError(`\`listOrder\` must be one of ${LIST_ORDERS.join(", ")}`);
  if (changeDomainId !== "integer" && changeDomainId !== "string")
    throw new RangeError("`changeDomainId` must be integer or string");
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new RangeError("`seed` must be a whole number");
  if (rateLimit !== undefined && !(isWhole(rateLimit.requests, 1) && isWhole(rateLimit.perSeconds, 1)))
    throw new RangeError("`rateLimit` needs `requests` and `perSeconds`, both whole numbers from 1");
  const { extraFields, newChannels = {} } = options;
  return { token, createStatus, listOrder, changeDomainId, extraFields, rateLimit, newChannels };
}

/**
 * The time at which the clock stands still, if it does.
 *
 * @throws RangeError for a text that is no time, or a time without a year of four digits, which the interface's formats need
 */
export function fixedTime(now: Date | string | undefined): Date | undefined {
  if (now === undefined) return undefined;
  const time = typeof now === "string" ? toInstant(now) : now;
  if (!time || Number.isNaN(time.getTime()) || !/^\d{4}-/.test(time.toISOString()))
    throw new RangeError("`now` must be a time such as 2026-01-31T08:30:00Z");
  return time;
}
