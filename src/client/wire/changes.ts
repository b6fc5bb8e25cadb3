/** Changes of a domain in the service's JSON. */
import { z } from "zod";
import type { DnsChange, Page, WhoisChange } from "../types";
import { nullableText, openEnum, paged, read, toPage, wirePage } from "./responses";

const change = {
  id: z.string(),
  domain_id: z.union([z.number(), z.string()], "expected a number or a string"),
  old_value: nullableText,
  new_value: nullableText,
  identifier: z.string(),
  created_at: z.string(),
  created_at_human: nullableText,
};

/** interface.md, section 2.2. */
export const wireWhoisChange = z.object({
  ...change,
  field_changed: openEnum<"registrar" | "nameservers">(),
});

/** interface.md, section 2.3. */
export const wireDnsChange = z.object({
  ...change,
  field_changed: openEnum<"a_records" | "mx_records">(),
  field_changed_human: nullableText,
  old_value_formatted: nullableText,
  new_value_formatted: nullableText,
  change_summary: nullableText,
  diff: nullableText,
});

const wireWhoisPage = wirePage(wireWhoisChange);
const wireDnsPage = wirePage(wireDnsChange);

/** Reads the answer of 4.2. @throws UnexpectedShape */
export function readWhoisPage(body: unknown): Page<WhoisChange> {
  // Not spread: that took eight times as long as the validation.
  return toPage(read(wireWhoisPage, paged(body)), (item) => ({
    id: item.id,
    domainId: item.domain_id,
    fieldChanged: item.field_changed,
    oldValue: item.old_value ?? null,
    newValue: item.new_value ?? null,
    identifier: item.identifier,
    createdAt: item.created_at,
    createdAtHuman: item.created_at_human ?? null,
  }));
}

/** Reads the answer of 4.3. @throws UnexpectedShape */
export function readDnsPage(body: unknown): Page<DnsChange> {
  return toPage(read(wireDnsPage, paged(body)), (item) => ({
    id: item.id,
    domainId: item.domain_id,
    fieldChanged: item.field_changed,
    oldValue: item.old_value ?? null,
    newValue: item.new_value ?? null,
    identifier: item.identifier,
    createdAt: item.created_at,
    createdAtHuman: item.created_at_human ?? null,
    fieldChangedHuman: item.field_changed_human ?? null,
    oldValueFormatted: item.old_value_formatted ?? null,
    newValueFormatted: item.new_value_formatted ?? null,
    changeSummary: item.change_summary ?? null,
    diff: item.diff ?? null,
  }));
}
