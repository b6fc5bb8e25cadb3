/** `getDnsChanges`: the DNS changes of a domain. */
import { type DnsRecord, decodeDnsValue } from "../client/change-values";
import type { DnsChange, OpenEnum } from "../client/types";
import { type ChangesResult, changesFunction, commonFields } from "./changes";
import type { WhoisChangeResult } from "./get-whois-changes";

/** Result of {@link getDnsChanges}. */
export type GetDnsChangesResult = ChangesResult<DnsChangeResult>;

/** A change of DNS records (interface.md, section 2.3). */
export interface DnsChangeResult extends Omit<WhoisChangeResult, "fieldChanged" | "before" | "after"> {
  /** The records that changed: `a_records`, `mx_records`, or a value that the interface does not show. */
  fieldChanged: OpenEnum<"a_records" | "mx_records">;
  /** Short record type label. */
  fieldChangedHuman: string | null;
  /** The previous records for people to read. */
  oldValueFormatted: string | null;
  /** The new records for people to read. */
  newValueFormatted: string | null;
  /** The change in short, in the service's words. */
  changeSummary: string | null;
  /** The difference as text. */
  diff: string | null;
  /** Records before the change; null if the string cannot be decoded. */
  before: DnsRecord[] | null;
  /** Records after the change; null if the string cannot be decoded. */
  after: DnsRecord[] | null;
}

/** DNS changes of a domain (interface.md, section 4.3). */
export const getDnsChanges = changesFunction("getDnsChanges", (client) => client.dnsChanges, toResult);

function toResult(change: DnsChange): DnsChangeResult {
  const { fieldChanged, fieldChangedHuman, oldValueFormatted, newValueFormatted, changeSummary, diff } =
    change;
  return {
    ...commonFields(change),
    fieldChanged,
    fieldChangedHuman,
    oldValueFormatted,
    newValueFormatted,
    changeSummary,
    diff,
    before: decodeDnsValue(change.oldValue),
    after: decodeDnsValue(change.newValue),
  };
}
