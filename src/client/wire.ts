/**
 * The JSON of requests, and of responses with one object (interface.md, sections 2 and 4); lists
 * are in `wire-lists.ts`.
 *
 * Responses are read leniently: unknown fields are dropped, unknown enum values are kept, fields
 * that are empty before the first check may be null or missing, and values may have other forms in
 * which PHP and databases write them. Loading this module loads zod, so operations require it on
 * their first call only.
 */
import { z } from "zod";
import { DEFAULTED } from "./fields";
import { UnexpectedShape } from "./internal/unusable";
import { canonicalId } from "./rules";
import type {
  DnsComponent,
  Domain,
  DomainComponents,
  MonitoredComponent,
  NotificationChannelData,
  NotificationFlags,
  SslComponent,
} from "./types";

/** A field that is read in another form than it has on the wire. */
interface DecodedField<T> {
  readonly schema: z.ZodType;

  /** Reads what the schema has accepted. */
  decode(wire: unknown): T;
}

export interface Codec<T> extends DecodedField<T> {
  /** Drops unknown fields. */
  readonly schema: z.ZodObject;
}

/**
 * A field whose schema returns what is read; if null is possible, it may also be missing on the
 * wire.
 */
type Plain<T> = z.ZodType<null extends T ? T | undefined : T>;

/** The name on the wire of a field: `typeHuman` is `type_human`. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * An object, described once: from its fields in camelCase follow the names on the wire, the schema,
 * and how it is read. The compiler compares the description with the type.
 *
 * @param fields in the order in which they are read
 */
export function codec<T extends object>(
  fields: {
    readonly [Name in keyof T]-?: Plain<T[Name]> | DecodedField<T[Name]>;
  },
): Codec<T> {
  const parts = Object.entries<z.ZodType | DecodedField<unknown>>(fields).map(([name, field]) => ({
    name,
    wire: wireName(name),
    schema: field instanceof z.ZodType ? field : field.schema,
    decode: field instanceof z.ZodType ? undefined : field.decode,
  }));

  return {
    schema: z.object(Object.fromEntries(parts.map(({ wire, schema }) => [wire, schema]))),
    // By a fixed list: spreading what was read takes several times as long.
    decode(given: Record<string, unknown>) {
      const copy: Record<string, unknown> = {};
      for (const { name, wire, decode } of parts) {
        const value = given[wire] ?? null;
        copy[name] = decode ? decode(value) : value;
      }

      return copy;
    },
  } as Codec<T>;
}

/** In its one spelling, so that ids can be compared wherever they are read. */
export const id: DecodedField<string> = {
  // Not a transform of the schema, which takes as long as the rest of a record.
  schema: z.string(),
  decode: (wire) => canonicalId(String(wire)),
};

/** May be missing, as before the first check. */
export const nullableText = z.string().nullish();

/** Databases may have 0 and 1. */
const flag = z.union([z.boolean(), z.literal([0, 1]).transform(Boolean)], "expected a boolean");

const digits = z.string().regex(/^\d+$/);

/** Null before the first check, when nothing has changed or been switched on. */
const flagOrNull = z.union(
  // Not the union above: one within another takes twice as long.
  [z.boolean(), z.literal([0, 1, null]).transform(Boolean)],
  "expected a boolean",
);

/** The latest time that a `Date` can have. */
const MAX_TIME_MS = 8.64e15;

/** A time whose format the interface does not specify: a number is one in seconds since 1970. */
const time = z
  .union([z.string(), z.int().nonnegative().max(MAX_TIME_MS).transform(isoOf)], "expected a time")
  .nullish();

/** Seconds, or milliseconds where they would be the year 5138 or later. */
function isoOf(number: number): string {
  return new Date(number < 1e11 ? number * 1000 : number).toISOString();
}

/** PHP writes an array with gaps as an object. */
const gaps = z.record(digits, z.string());

const texts = z.union(
  [z.array(z.string()), gaps.transform((record) => Object.values(record))],
  "expected an array of strings",
);

const MAX_FIELDS = 3;

/**
 * Reads a response with one object, at the top level or in `data`: which of the two is not known
 * for all operations.
 *
 * @param asked id of the object that was asked for
 * @throws UnexpectedShape
 */
function readOne<T extends { id: string }>(item: Codec<T>, body: unknown, asked?: string): T {
  const isWrapped = typeof body === "object" && body !== null && "data" in body;
  const found = item.decode(parse(item.schema, isWrapped ? body.data : body));
  if (asked !== undefined && found.id !== canonicalId(asked))
    throw new UnexpectedShape("id: expected the requested one", false);

  return found;
}

export function parse<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;

  const known = Object.keys(schema.shape);
  const foreign =
    typeof body !== "object" || body === null || !known.some((field) => field in body);

  throw new UnexpectedShape(problemOf(result.error), foreign);
}

/** Names fields, and what was expected of them, without values. */
export function problemOf({ issues }: z.ZodError): string {
  const named = issues
    .slice(0, MAX_FIELDS)
    .map((issue) => [issue.path.join("."), expectation(issue)].filter(Boolean).join(": "));

  if (issues.length > MAX_FIELDS) named.push(`${issues.length - MAX_FIELDS} more`);

  return named.join("; ");
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  return `expected ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
}

/** Fields of the WHOIS and DNS components. */
const monitoredFields = {
  isEnabled: flagOrNull,
  checkInterval: nullableText,
  checkStatus: nullableText,
  latestCheckDetails: nullableText,
  lastCheckedAt: time,
  nextCheckAt: nullableText,
  lastManualCheckAt: time,
  changesDetectedAt: time,
  hasChangedRecently: flagOrNull,
  wasManuallyCheckedRecently: flagOrNull,
};

const whoisComponent = codec<MonitoredComponent>(monitoredFields);

const dnsComponent = codec<DnsComponent>({
  ...monitoredFields,
  enabledRecords: z.union(
    [texts, z.null().transform((): string[] => [])],
    "expected an array of strings",
  ),
});

const sslComponent = codec<SslComponent>({
  isEnabled: flagOrNull,
  issuer: nullableText,
  organization: nullableText,
  expiresAt: time,
  lastCheckedAt: time,
  lastFoundInvalidAt: time,
  lastConsideredValidAt: time,
  hasChangedRecently: flagOrNull,
});

/** interface.md, section 2.1. */
export const domain = codec<Domain>({
  id,
  label: z.string(),
  domain: z.string(),
  description: nullableText,
  colour: nullableText,
  provider: nullableText,
  expiresAt: nullableText,
  components: codec<DomainComponents>({
    whois: whoisComponent,
    dns: dnsComponent,
    ssl: sslComponent,
  }),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const listed = z.object({ data: z.tuple([z.unknown()]) });

/**
 * Reads the response of 4.1, of a create or of an update, or an array of one, as in the service's
 * documentation of a create.
 *
 * @throws UnexpectedShape
 */
export function readOneDomain(body: unknown, asked?: string): Domain {
  return readOne(domain, listed.safeParse(body).data?.data[0] ?? body, asked);
}

/** Which changes a channel is notified of. */
const flags = Object.fromEntries(DEFAULTED.map((name) => [name, flag])) as Record<
  keyof NotificationFlags,
  typeof flag
>;

/** interface.md, section 2.4. */
export const channel = codec<NotificationChannelData>({
  id: { ...id, schema: z.string().min(1) },
  label: z.string(),
  type: z.string(),
  typeHuman: z.string(),
  ...flags,
  isProtected: flag,
  isDisabled: flag,
  disabledReason: nullableText,
  lastNotificationSentAt: nullableText,
  lastNotificationSentAtHuman: nullableText,
  createdAt: z.string(),
  createdAtHuman: nullableText,
});

/**
 * Reads the response of an operation on one channel. @param asked undefined for a create @throws
 * UnexpectedShape
 */
export function readChannel(body: unknown, asked?: string): NotificationChannelData {
  return readOne(channel, body, asked);
}

const identifiedChannel = z.object({
  data: z.object({
    id: z.union([z.string().min(1).max(200), z.int().nonnegative().transform(String)]),
  }),
});

/**
 * The id in an otherwise unusable response of 4.4: the channel exists, and its id must not be lost.
 * It may be an integer, which the interface does not have.
 */
export function identifyCreatedChannel(body: unknown): string | undefined {
  return identifiedChannel.safeParse(body).data?.data.id;
}

/** The body of a create or an update. Fields left out stay out. */
export function encode<Field extends string>(
  given: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): string {
  return JSON.stringify(Object.fromEntries(fields.map((name) => [wireName(name), given[name]])));
}
