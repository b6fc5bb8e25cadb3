/**
 * The JSON of lists (interface.md, sections 2.2, 2.3 and 2.5). A record that cannot be read does not
 * hide the others. Loaded late, as `wire.ts` is.
 */
import { z } from "zod";
import { usableId } from "./internal/failure";
import type { Gates } from "./internal/operation";
import { UnexpectedShape } from "./internal/unusable";
import type { Page } from "./pages";
import { isId } from "./rules";
import type { DnsChange, WhoisChange } from "./types";
import { type Codec, channel, codec, domain, id, nullableText, parse, problemOf } from "./wire";

const nonNegative = z.int().nonnegative();

/** Databases may have text. */
const countField = z.union(
  [nonNegative, z.string().regex(/^\d+$/).transform(Number).pipe(nonNegative)],
  "expected a whole number",
);

const pageLinks = codec<Page<unknown>["links"]>({
  first: nullableText,
  last: nullableText,
  prev: nullableText,
  next: nullableText,
});

const pageMeta = codec<Page<unknown>["meta"]>({
  currentPage: countField,
  from: countField.nullish(),
  lastPage: countField,
  perPage: countField,
  to: countField.nullish(),
  total: countField,
});

/** Beyond these, what came is not a list of such records. */
const MAX_UNREADABLE = 1000;

/** A page whose records have not been read. */
const frame = z.object({
  data: z.array(z.unknown()),
  links: pageLinks.schema.default({}),
  meta: pageMeta.schema,
});

/** A record that cannot be read may still show which one it is. */
const identifiable = z
  .object({
    id: z.custom<string | null>(isId).catch(null),
    domain: z.string().optional().catch(undefined),
  })
  .catch({ id: null });

/**
 * Reads pages of these (interface.md, section 2.5). A list that a service sends without pages, as
 * `{"data": […]}`, is one page.
 *
 * @throws UnexpectedShape
 */
function pagesOf<T>(item: Codec<T>): (body: unknown, gates: Gates) => Page<T> {
  const records = z.array(item.schema);

  return (body, { redact }) => {
    const page = parse(frame, withMeta(body));
    const meta = pageMeta.decode(page.meta);
    const read: Page<T> = {
      data: [],
      unreadable: [],
      links: pageLinks.decode(page.links),
      meta,
    };

    const all = records.safeParse(page.data).data;
    if (all) return { ...read, data: all.map(item.decode) };

    const first = (meta.currentPage - 1) * meta.perPage + 1;

    for (const [index, record] of page.data.entries()) {
      const { data, error } = item.schema.safeParse(record);
      if (data) read.data.push(item.decode(data));
      else {
        if (read.unreadable.length === MAX_UNREADABLE)
          throw new UnexpectedShape(
            `data: more than ${MAX_UNREADABLE} of its records cannot be read`,
            false,
          );

        const { id: shown, domain } = identifiable.parse(record);
        read.unreadable.push({
          id: usableId(shown ?? undefined, redact) ?? null,
          // Undefined means that any name could match.
          domain: domain !== undefined && redact(domain) === domain ? domain : undefined,
          position: first + index,
          problem: problemOf(error),
        });
      }
    }

    return read;
  };
}

function withMeta(body: unknown): unknown {
  if (typeof body !== "object" || body === null || "links" in body || "meta" in body) return body;
  if (!("data" in body) || !Array.isArray(body.data)) return body;

  const total = body.data.length;
  const [from, to] = total > 0 ? [1, total] : [];
  const meta = {
    current_page: 1,
    from,
    last_page: 1,
    per_page: total,
    to,
    total,
  };

  return { data: body.data, meta };
}

const common = {
  id,
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

/** Reads the response of 4.2. @throws UnexpectedShape */
export const readWhoisPage = pagesOf(whoisChange);

/** Reads the response of 4.3. @throws UnexpectedShape */
export const readDnsPage = pagesOf(dnsChange);

/** Reads a page of domains. @throws UnexpectedShape */
export const readDomainPage = pagesOf(domain);

export const readChannelPage = pagesOf(channel);
