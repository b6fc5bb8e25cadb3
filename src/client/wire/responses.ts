/** How any answer is read: the fields that recur, pages, and what an unusable one is called. */
import { z } from "zod";
import { UnexpectedShape } from "../internal/failure";
import type { OpenEnum, Page } from "../types";

/** Known values, and any that the service adds. */
export const openEnum = <Known extends string>(): z.ZodType<OpenEnum<Known>> => z.string();

/** May be missing, as before the first check. */
export const nullableText = z.string().nullish();

const count = z.number().int();

/** interface.md, section 2.5. */
export const wirePage = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    links: z.object({ first: nullableText, last: nullableText, prev: nullableText, next: nullableText }),
    meta: z.object({
      current_page: count,
      from: count.nullish(),
      last_page: count,
      per_page: count,
      to: count.nullish(),
      total: count,
    }),
  });

/** The only page of a list that a service sends without pages, as `{"data": […]}`; every other body unchanged. */
export function paged(body: unknown): unknown {
  if (typeof body !== "object" || body === null || "links" in body || "meta" in body) return body;
  if (!("data" in body) || !Array.isArray(body.data)) return body;
  const total = body.data.length;
  const [from, to] = total > 0 ? [1, total] : [];
  const meta = { current_page: 1, from, last_page: 1, per_page: total, to, total };
  return { data: body.data, links: {}, meta };
}

/** Maximum number of fields named in a message. */
const MOST_FIELDS = 3;

/** Validates an answer. @throws UnexpectedShape */
export function read<Fields extends z.ZodRawShape>(
  schema: z.ZodObject<Fields>,
  body: unknown,
): z.infer<z.ZodObject<Fields>> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const known = Object.keys(schema.shape);
  const foreign = typeof body !== "object" || body === null || !known.some((field) => field in body);
  const { issues } = result.error;
  const named = issues.slice(0, MOST_FIELDS).map((issue) => `${issue.path.join(".")}: ${expectation(issue)}`);
  if (issues.length > MOST_FIELDS) named.push(`${issues.length - MOST_FIELDS} more`);
  throw new UnexpectedShape(named.join("; "), foreign);
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  return `expected ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
}

type WirePage<Item> = Omit<z.infer<ReturnType<typeof wirePage>>, "data"> & { data: Item[] };

/** A page with its records converted. */
export function toPage<Item, T>(wire: WirePage<Item>, toItem: (item: Item) => T): Page<T> {
  const { links, meta } = wire;
  return {
    data: wire.data.map(toItem),
    links: {
      first: links.first ?? null,
      last: links.last ?? null,
      prev: links.prev ?? null,
      next: links.next ?? null,
    },
    meta: {
      currentPage: meta.current_page,
      from: meta.from ?? null,
      lastPage: meta.last_page,
      perPage: meta.per_page,
      to: meta.to ?? null,
      total: meta.total,
    },
  };
}
