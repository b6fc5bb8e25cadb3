/**
 * An object of the service, described once: from its fields in camelCase follow the names on the wire, the schema of an answer,
 * and how it is read and written. The types stay in `types.ts`, and the compiler compares each description with its type.
 */
import { z } from "zod";
import { UnexpectedShape } from "../internal/failure";
import { wireName } from "../internal/operation";
import type { Page } from "../types";

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** A value as it is on the wire. */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Name in keyof T as Snake<Name>]: Wire<T[Name]> }
    : T;

/** Reading and writing of one value. */
interface Part<T> {
  readonly schema: z.ZodType;
  /** Reads what the schema has accepted. */
  decode(wire: unknown): T;
  encode(value: T): Wire<T>;
}

export interface Codec<T> extends Part<T> {
  /** Drops unknown fields. */
  readonly schema: z.ZodObject<Record<keyof Wire<T> & string, z.ZodType>>;
}

/** A field that is the same on both sides; if null is possible, it may also be missing on the wire. */
type Plain<T> = z.ZodType<null extends T ? T | undefined : T>;

/** @param fields in the order in which they are read and written */
export function codec<T extends object>(
  fields: {
    readonly [Name in keyof T]-?: Plain<T[Name]> | Part<T[Name]>;
  },
): Codec<T> {
  const shape: Record<string, z.ZodType> = {};
  const decoded: Key[] = [];
  const encoded: Key[] = [];
  for (const [name, field] of Object.entries<z.ZodType | Part<unknown>>(fields)) {
    const wire = wireName(name);
    const part = field instanceof z.ZodType ? undefined : field;
    shape[wire] = field instanceof z.ZodType ? field : field.schema;
    decoded.push({ from: wire, to: name, convert: part?.decode });
    encoded.push({ from: name, to: wire, convert: part?.encode });
  }
  return { schema: z.object(shape), decode: copier(decoded), encode: copier(encoded) } as Codec<T>;
}

/** A property to copy; if it is missing, the copy has null. */
interface Key {
  from: string;
  to: string;
  convert?: (value: unknown) => unknown;
}

/** A function that copies these properties, by a fixed list: spreading the given object takes several times as long. */
function copier(keys: readonly Key[]): (given: Record<string, unknown>) => Record<string, unknown> {
  return (given) => {
    const copy: Record<string, unknown> = {};
    for (const { from, to, convert } of keys) {
      const value = given[from] ?? null;
      copy[to] = convert ? convert(value) : value;
    }
    return copy;
  };
}

/** May be missing, as before the first check. */
export const nullableText = z.string().nullish();

const count = z.number().int();

const pageLinks = codec<Page<unknown>["links"]>({
  first: nullableText,
  last: nullableText,
  prev: nullableText,
  next: nullableText,
});

const pageMeta = codec<Page<unknown>["meta"]>({
  currentPage: count,
  from: count.nullish(),
  lastPage: count,
  perPage: count,
  to: count.nullish(),
  total: count,
});

/**
 * Reads pages of these (interface.md, section 2.5). One that a service sends without pages, as `{"data": […]}`, is the only one.
 *
 * @throws UnexpectedShape
 */
export function pagesOf<T>(item: Codec<T>): (body: unknown) => Page<T> {
  const schema = z.object({ data: z.array(item.schema), links: pageLinks.schema, meta: pageMeta.schema });
  return (body) => {
    const { data, links, meta } = parse(schema, withMeta(body));
    return { data: data.map(item.decode), links: pageLinks.decode(links), meta: pageMeta.decode(meta) };
  };
}

function withMeta(body: unknown): unknown {
  if (typeof body !== "object" || body === null || "links" in body || "meta" in body) return body;
  if (!("data" in body) || !Array.isArray(body.data)) return body;
  const total = body.data.length;
  const [from, to] = total > 0 ? [1, total] : [];
  const meta = { current_page: 1, from, last_page: 1, per_page: total, to, total };
  return { data: body.data, links: {}, meta };
}

/** Maximum number of fields named in a message. */
const MAX_FIELDS = 3;

/** Reads an answer. Unknown fields are dropped. @throws UnexpectedShape */
export function read<T>({ schema, decode }: Codec<T>, body: unknown): T {
  return decode(parse(schema, body));
}

/**
 * Reads an answer with one object, at the top level or in `data`: which of the two is not known for all operations.
 *
 * @param asked id of the object that was asked for
 * @throws UnexpectedShape
 */
export function readOne<T extends { id: string }>(item: Codec<T>, body: unknown, asked?: string): T {
  const isWrapped = typeof body === "object" && body !== null && "data" in body;
  const found = read(item, isWrapped ? body.data : body);
  if (asked !== undefined && found.id.toLowerCase() !== asked.toLowerCase())
    throw new UnexpectedShape("id: expected that of what was asked for", false);
  return found;
}

function parse<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const known = Object.keys(schema.shape);
  const foreign = typeof body !== "object" || body === null || !known.some((field) => field in body);
  const { issues } = result.error;
  const named = issues.slice(0, MAX_FIELDS).map((issue) => `${issue.path.join(".")}: ${expectation(issue)}`);
  if (issues.length > MAX_FIELDS) named.push(`${issues.length - MAX_FIELDS} more`);
  throw new UnexpectedShape(named.join("; "), foreign);
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  return `expected ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
}
