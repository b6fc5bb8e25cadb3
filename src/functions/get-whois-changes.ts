/** `getWhoisChanges`: the WHOIS changes of a domain. */
import { decodeWhoisValue } from "../client/change-values";
import type { OpenEnum, WhoisChange } from "../client/types";
import { type ChangesResult, changesFunction, commonFields } from "./changes";

/** Result of {@link getWhoisChanges}. */
export type GetWhoisChangesResult = ChangesResult<WhoisChangeResult>;

/** A change of registration data (interface.md, section 2.2). */
export interface WhoisChangeResult {
  /** Identifier of the change, UUID-shaped. */
  id: string;
  /** As served: a number or a string. */
  domainId: number | string;
  /** The field that changed: `registrar`, `nameservers`, or a value that the interface does not show. */
  fieldChanged: OpenEnum<"registrar" | "nameservers">;
  /** Previous value as served. */
  oldValue: string | null;
  /** New value as served. */
  newValue: string | null;
  /** Previous value decoded: host names for `nameservers`, else the string. */
  before: string[] | string | null;
  /** New value decoded. */
  after: string[] | string | null;
  /** Short opaque token of the change. */
  identifier: string;
  /** `SQL-TS`, taken as UTC. */
  createdAt: string;
}

/** WHOIS changes of a domain (interface.md, section 4.2). */
export const getWhoisChanges = changesFunction("getWhoisChanges", (client) => client.whoisChanges, toResult);

function toResult(change: WhoisChange): WhoisChangeResult {
  const { fieldChanged, oldValue, newValue } = change;
  return {
    ...commonFields(change),
    fieldChanged,
    before: decodeWhoisValue(fieldChanged, oldValue),
    after: decodeWhoisValue(fieldChanged, newValue),
  };
}
