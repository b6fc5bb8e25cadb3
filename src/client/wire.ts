/**
 * The JSON of answers (interface.md, sections 2 and 4).
 *
 * Answers are read leniently: unknown fields are dropped, unknown enum values are kept, fields that are empty before the
 * first check may be null or missing, and other forms in which PHP and databases write a value are accepted. A record of a
 * list that cannot be read costs only itself.
 * Loading this module loads zod, so operations require it on their first call only.
 */
import { z } from "zod";
import {
  codec,
  count,
  describe,
  flag,
  nullableText,
  type ObjectCodec,
  optionalCount,
  parse,
  texts,
} from "./internal/codec";
import { UnexpectedShape } from "./internal/failure";
import type { Page, UnreadableRecord } from "./pages";
import type {
  DnsChange,
  DnsComponent,
  Domain,
  DomainComponents,
  MonitoredComponent,
  NotificationChannelData,
  SslComponent,
  WhoisChange,
} from "./types";

const pageLinks = codec<Page<unknown>["links"]>({
  first: nullableText,
  last: nullableText,
  prev: nullableText,
  next: nullableText,
});

const pageMeta = codec<Page<unknown>["meta"]>({
  currentPage: count,
  from: optionalCount,
  lastPage: count,
  perPage: count,
  to: optionalCount,
  total: count,
});

/** A page whose records have not been read. */
const frame = z.object({
  data: z.custom<unknown[]>(Array.isArray, "expected an array"),
  links: pageLinks.schema.nullish(),
  meta: pageMeta.schema,
});

/**
 * Reads pages of these (interface.md, section 2.5). One that a service sends without pages, as `{"data": […]}`, is the only one.
 *
 * @throws UnexpectedShape
 */
function pagesOf<T>(item: ObjectCodec<T>): (body: unknown) => Page<T> {
  const schema = z.array(item.schema);
  return (body) => {
    const page = parse(frame, withMeta(body));
    const links = pageLinks.decode(page.links ?? {});
    const meta = pageMeta.decode(page.meta);
    const all = schema.safeParse(page.data);
    if (all.success) return { data: all.data.map(item.decode), unreadable: [], links, meta };
    const before = (meta.currentPage - 1) * meta.perPage;
    return { ...readEach(page.data, item, before), links, meta };
  };
}

/** @param before number of records on earlier pages */
function readEach<T>(records: readonly unknown[], { schema, decode }: ObjectCodec<T>, before: number) {
  const data: T[] = [];
  const unreadable: UnreadableRecord[] = [];
  for (const [index, record] of records.entries()) {
    const { data: read, error } = schema.safeParse(record);
    if (error)
      unreadable.push({ ...identify(record), position: before + index + 1, problem: describe(error) });
    else data.push(decode(read));
  }
  return { data, unreadable };
}

const ID = /^[\w.-]{1,64}$/;

function identify(record: unknown): Pick<UnreadableRecord, "id" | "domain"> {
  // An object even if the record is null.
  const { id, domain }: { id?: unknown; domain?: unknown } = Object(record);
  const text = typeof id === "number" ? String(id) : id;
  return {
    id: typeof text === "string" && ID.test(text) ? text : null,
    domain: typeof domain === "string" ? domain : undefined,
  };
}

function withMeta(body: unknown): unknown {
  if (typeof body !== "object" || body === null || "links" in body || "meta" in body) return body;
  if (!("data" in body) || !Array.isArray(body.data)) return body;
  const total = body.data.length;
  const [from, to] = total > 0 ? [1, total] : [];
  const meta = { current_page: 1, from, last_page: 1, per_page: total, to, total };
  return { data: body.data, meta };
}

/**
 * Reads an answer with one object, at the top level or in `data`: which of the two is not known for all operations.
 *
 * @param asked id of the object that was asked for
 * @throws UnexpectedShape
 */
function readOne<T extends { id: string }>(item: ObjectCodec<T>, body: unknown, asked?: string): T {
  const isWrapped = typeof body === "object" && body !== null && "data" in body;
  const found = item.decode(parse(item.schema, isWrapped ? body.data : body));
  if (asked !== undefined && found.id.toLowerCase() !== asked.toLowerCase())
    throw new UnexpectedShape("id: expected that of what was asked for", false);
  return found;
}

/** Fields of the WHOIS and DNS components. */
const monitoredFields = {
  isEnabled: flag,
  checkInterval: z.string(),
  checkStatus: z.string(),
  latestCheckDetails: nullableText,
  lastCheckedAt: nullableText,
  nextCheckAt: nullableText,
  lastManualCheckAt: nullableText,
  changesDetectedAt: nullableText,
  hasChangedRecently: flag,
  wasManuallyCheckedRecently: flag,
};

const whoisComponent = codec<MonitoredComponent>(monitoredFields);

const dnsComponent = codec<DnsComponent>({ ...monitoredFields, enabledRecords: texts });

const sslComponent = codec<SslComponent>({
  isEnabled: flag,
  issuer: nullableText,
  organization: nullableText,
  expiresAt: nullableText,
  lastCheckedAt: nullableText,
  lastFoundInvalidAt: nullableText,
  lastConsideredValidAt: nullableText,
  hasChangedRecently: flag,
});

/** interface.md, section 2.1. */
const domain = codec<Domain>({
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
 * Reads the answer of 4.1, or to a create or an update, which are undocumented; also an array of one, as in the
 * service's documentation of a create.
 *
 * @throws UnexpectedShape
 */
export function readOneDomain(body: unknown, id?: string): Domain {
  return readOne(domain, listed.safeParse(body).data?.data[0] ?? body, id);
}

/** Reads a page of domains, which is undocumented. @throws UnexpectedShape */
export const readDomainPage = pagesOf(domain);

const common = {
  id: z.string(),
  domainId: z.union([z.number(), z.string()], "expected a number or a string"),
  fieldChanged: z.string(),
  oldValue: nullableText,
  newValue: nullableText,
  identifier: nullableText,
  createdAt: z.string(),
  createdAtHuman: nullableText,
};

/** interface.md, section 2.2. */
const whoisChange = codec<WhoisChange>(common);

/** interface.md, section 2.3. */
const dnsChange = codec<DnsChange>({
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

/** interface.md, section 2.4. */
const channel = codec<NotificationChannelData>({
  id: z.string().min(1),
  label: z.string(),
  type: z.string(),
  typeHuman: z.string(),
  whoisNotificationsEnabled: flag,
  dnsNotificationsEnabled: flag,
  sslNotificationsEnabled: flag,
  isProtected: flag,
  isDisabled: flag,
  disabledReason: nullableText,
  lastNotificationSentAt: nullableText,
  lastNotificationSentAtHuman: nullableText,
  createdAt: z.string(),
  createdAtHuman: nullableText,
});

const created = codec<{ data: NotificationChannelData }>({ data: channel });

/** Reads the answer of 4.4. @throws UnexpectedShape */
export function readCreatedChannel(body: unknown): NotificationChannelData {
  return created.decode(parse(created.schema, body)).data;
}

/** Reads the answer of an operation on one channel. @throws UnexpectedShape */
export function readChannel(body: unknown, id: string): NotificationChannelData {
  return readOne(channel, body, id);
}

export const readChannelPage = pagesOf(channel);

const identified = z.object({ data: z.object({ id: z.string().min(1).max(200) }) });

/** The id in an otherwise unusable answer of 4.4: the channel exists, and its id must not be lost. */
export function identifyCreatedChannel(body: unknown): string | undefined {
  return identified.safeParse(body).data?.data.id;
}
