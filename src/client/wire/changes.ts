/** Changes of a domain in the service's JSON. */
import { z } from "zod";
import type { DnsChange, WhoisChange } from "../types";
import { codec } from "./codec";
import { nullableText, pagesOf } from "./responses";

const common = {
  id: z.string(),
  domainId: z.union([z.number(), z.string()], "expected a number or a string"),
  fieldChanged: z.string(),
  oldValue: nullableText,
  newValue: nullableText,
  identifier: z.string(),
  createdAt: z.string(),
  createdAtHuman: nullableText,
};

/** interface.md, section 2.2. */
export const whoisChange = codec<WhoisChange>(common);

/** interface.md, section 2.3. */
export const dnsChange = codec<DnsChange>({
  ...common,
  fieldChangedHuman: nullableText,
  oldValueFormatted: nullableText,
  newValueFormatted: nullableText,
  changeSummary: nullableText,
  diff: nullableText,
});

/** Reads the answer of 4.2. @throws UnexpectedShape */
export const readWhoisPage = pagesOf(whoisChange);

/** Reads the answer of 4.3. @throws UnexpectedShape */
export const readDnsPage = pagesOf(dnsChange);
