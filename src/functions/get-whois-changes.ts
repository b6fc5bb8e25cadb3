/** `getWhoisChanges`: the WHOIS changes of a domain. */
import { decodeWhoisValue } from "../client/change-values";
import type { WhoisChange } from "../client/types";
import { type ChangesResult, changesFunction } from "./changes";

/** Result of {@link getWhoisChanges}. */
export type GetWhoisChangesResult = ChangesResult<WhoisChangeResult>;

/** A change of registration data (interface.md, section 2.2). */
export interface WhoisChangeResult extends Omit<WhoisChange, "createdAtHuman"> {
  /** Previous value decoded: host names for `nameservers`, else the string. */
  before: string[] | string | null;
  /** New value decoded. */
  after: string[] | string | null;
}

/** WHOIS changes of a domain (interface.md, section 4.2). */
export const getWhoisChanges = changesFunction("getWhoisChanges", (client) => client.whoisChanges, toResult);

function toResult({ createdAtHuman: _changesByItself, ...change }: WhoisChange): WhoisChangeResult {
  const decoded = (value: string | null) => decodeWhoisValue(change.fieldChanged, value);
  return { ...change, before: decoded(change.oldValue), after: decoded(change.newValue) };
}
