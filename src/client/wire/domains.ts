/** A domain in the service's JSON. */
import { z } from "zod";
import type { DnsComponent, Domain, DomainComponents, MonitoredComponent, SslComponent } from "../types";
import { codec } from "./codec";
import { nullableText, pagesOf, readOne } from "./responses";

/** Of the WHOIS and the DNS component. */
export const monitoredFields = {
  isEnabled: z.boolean(),
  checkInterval: z.string(),
  checkStatus: z.string(),
  latestCheckDetails: nullableText,
  lastCheckedAt: nullableText,
  nextCheckAt: nullableText,
  lastManualCheckAt: nullableText,
  changesDetectedAt: nullableText,
  hasChangedRecently: z.boolean(),
  wasManuallyCheckedRecently: z.boolean(),
};

export const whoisComponent = codec<MonitoredComponent>(monitoredFields);

export const dnsComponent = codec<DnsComponent>({ ...monitoredFields, enabledRecords: z.array(z.string()) });

export const sslFields = {
  isEnabled: z.boolean(),
  issuer: nullableText,
  organization: nullableText,
  expiresAt: nullableText,
  lastCheckedAt: nullableText,
  lastFoundInvalidAt: nullableText,
  lastConsideredValidAt: nullableText,
  hasChangedRecently: z.boolean(),
};

export const sslComponent = codec<SslComponent>(sslFields);

/** interface.md, section 2.1. */
export const domain = codec<Domain>({
  id: z.string(),
  label: z.string(),
  domain: z.string(),
  description: nullableText,
  colour: nullableText,
  provider: nullableText,
  expiresAt: nullableText,
  components: codec<DomainComponents>({ whois: whoisComponent, dns: dnsComponent, ssl: sslComponent }),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const listed = z.object({ data: z.tuple([z.unknown()]) });

/**
 * Reads the answer of 4.1, or to a create or an update, which the interface does not show; also an array of one, as in the
 * service's documentation of a create.
 *
 * @throws UnexpectedShape
 */
export function readOneDomain(body: unknown, id?: string): Domain {
  return readOne(domain, listed.safeParse(body).data?.data[0] ?? body, id);
}

/** Reads a page of domains, which the interface does not show. @throws UnexpectedShape */
export const readDomainPage = pagesOf(domain);
