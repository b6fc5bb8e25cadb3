/** `getDnsChanges`: the DNS changes of a domain. */
import { type DnsRecord, decodeDnsValue } from "../client/change-values";
import type { DnsChange } from "../client/types";
import { type ChangesResult, changesFunction } from "./changes";

/** Result of {@link getDnsChanges}. */
export type GetDnsChangesResult = ChangesResult<DnsChangeResult>;

/** A change of DNS records (interface.md, section 2.3). */
export interface DnsChangeResult extends Omit<DnsChange, "createdAtHuman"> {
  /** Records before the change; null if the string cannot be decoded. */
  before: DnsRecord[] | null;
  /** Records after the change; null if the string cannot be decoded. */
  after: DnsRecord[] | null;
}

/** DNS changes of a domain (interface.md, section 4.3). */
export const getDnsChanges = changesFunction("getDnsChanges", (client) => client.dnsChanges, toResult);

function toResult({ createdAtHuman: _changesByItself, ...change }: DnsChange): DnsChangeResult {
  return { ...change, before: decodeDnsValue(change.oldValue), after: decodeDnsValue(change.newValue) };
}
