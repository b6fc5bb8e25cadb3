/** Reading of any answer: pages, and the description of an unusable one. */
import { z } from "zod";
import { UnexpectedShape } from "../internal/failure";
import type { Page } from "../types";
import { type Codec, codec } from "./codec";

/** May be missing, as before the first check. */
export const nullableText = z.string().nullish();

const count = z.number().int();

export const pageLinks = codec<Page<unknown>["links"]>({
  first: nullableText,
  last: nullableText,
  prev: nullableText,
  next: nullableText,
});

export const pageMeta = codec<Page<unknown>["meta"]>({
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
