/**
 * The bodies of responses: stored things on the wire (interface.md, section 2), pages, and refused
 * input.
 */
import type { z } from "zod";
import { componentsOf, type StoredChange, type StoredDomain } from "./domains";
import { recordsIn } from "./interface";
import type { AppParts } from "./middleware";
import { channel, dnsChange, domain, served, whoisChange } from "./schemas";
import { relativeText, sqlTimestamp } from "./sources";
import type { EmulatedChannel } from "./types";

/** interface.md, section 2.1. */
export function renderDomain(stored: StoredDomain, now: Date) {
  const { createdAt, checkedAt, editedAt } = stored;
  const updatedAt = [checkedAt, editedAt].reduce<Date>(
    (last, time) => (time && time > last ? time : last),
    createdAt,
  );

  return served(domain, {
    ...stored,
    components: componentsOf(stored, now),
    createdAt: sqlTimestamp(createdAt),
    updatedAt: sqlTimestamp(updatedAt),
  });
}

/** interface.md, section 2.2. */
export function renderWhoisChange({ number }: StoredDomain, stored: StoredChange, now: Date) {
  return served(whoisChange, {
    ...stored,
    domainId: number,
    createdAtHuman: relativeText(stored.createdAt, now),
  });
}

/** interface.md, section 2.3. */
export function renderDnsChange({ number }: StoredDomain, stored: StoredChange, now: Date) {
  const before = recordLines(stored.oldValue);
  const after = recordLines(stored.newValue);
  const removed = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));

  return served(dnsChange, {
    ...stored,
    domainId: number,
    createdAtHuman: relativeText(stored.createdAt, now),
    fieldChangedHuman: stored.fieldChanged.replace(/_records$/, "").toUpperCase(),
    oldValueFormatted: before.join("\n"),
    newValueFormatted: after.join("\n"),
    changeSummary: `${added.length} added, ${removed.length} removed`,
    diff: [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)].join("\n"),
  });
}

/** One line for each record; text that is not a list of records is one line. */
function recordLines(text: string | null): string[] {
  if (text === null || text === "") return [];
  const lines = recordsIn(text)?.map(({ host, value, ttl, ...own }) =>
    [host, ...Object.values(own), value, `(TTL ${ttl})`].join(" "),
  );

  return lines ?? [text];
}

/** interface.md, section 2.4. The destination is write-only: no field repeats it. */
export function renderChannel(stored: EmulatedChannel, now: Date) {
  const { createdAt, lastNotificationSentAt: sentAt } = stored;

  return served(channel, {
    ...stored,
    lastNotificationSentAtHuman: sentAt === null ? null : relativeText(sentAt, now),
    createdAtHuman: relativeText(createdAt, now),
  });
}

/**
 * One page of a list (interface.md, section 2.5). A page beyond the last one is empty, and its
 * `prev` is the last page.
 */
export function renderPage<Stored, Item>(
  { clock, options }: AppParts,
  url: string,
  // Where the page size cannot be requested, an option decides.
  { page, per_page: asked }: { page: number; per_page?: number },
  newestFirst: readonly Stored[],
  render: (stored: Stored, now: Date) => Item,
) {
  const items = options.listOrder === "newest-first" ? newestFirst : newestFirst.toReversed();
  const perPage = asked ?? options.perPage;
  const skipped = (page - 1) * perPage;
  const data = items.slice(skipped, skipped + perPage).map((stored) => render(stored, clock.now()));
  const lastPage = Math.max(1, Math.ceil(items.length / perPage));
  // Links lead to where the client reached the service.
  const { origin, pathname } = new URL(url);
  const link = (target: number) =>
    `${origin}${pathname}?${asked === undefined ? "" : `per_page=${asked}&`}page=${target}`;

  return {
    data,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: data.length === 0 ? null : skipped + 1,
      last_page: lastPage,
      per_page: perPage,
      to: data.length === 0 ? null : skipped + data.length,
      total: items.length,
    },
  };
}

/**
 * The body of a 422: `errors` maps field names to messages, and `body` those on the body as a
 * whole. Zod's name what was expected and the type of what came, never its value.
 */
export function validationFailure(issues: readonly z.core.$ZodIssue[]) {
  // A map, because a submitted key may be called `__proto__`.
  const errors = new Map<string, string[]>();
  const add = (field: string, text: string) =>
    errors.set(field, [...(errors.get(field) ?? []), text]);

  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) add(key, "unknown field");
    } else {
      add(String(issue.path[0] ?? "body"), issue.message);
    }
  }

  return { message: "The given data was invalid.", errors: Object.fromEntries(errors) };
}
