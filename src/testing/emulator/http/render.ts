/** The bodies of answers: stored things on the wire (interface.md, section 2), pages, and refused input. */
import type { Context } from "hono";
import type { z } from "zod";
import { decodeDnsValue } from "../../../client/change-values";
import type { DnsChange, Domain, NotificationChannelData, WhoisChange } from "../../../client/types";
import { channel, dnsChange, domain, whoisChange } from "../../../client/wire";
import type { Wire } from "../../../client/wire/names";
import { componentsOf } from "../data/domains";
import type { StoredChange, StoredDomain } from "../data/stored";
import { relativeText, sqlTimestamp } from "../data/time";
import type { EmulatedChannel } from "../types";

/** interface.md, section 2.1. */
export function renderDomain(stored: StoredDomain, now: Date): Wire<Domain> {
  return domain.encode({
    ...stored,
    components: componentsOf(stored, now),
    createdAt: sqlTimestamp(stored.createdAt),
    updatedAt: sqlTimestamp(latest(stored.createdAt, stored.checkedAt, stored.editedAt)),
  });
}

function latest(first: Date, ...others: (Date | null)[]): Date {
  return new Date(Math.max(first.getTime(), ...others.map((time) => time?.getTime() ?? 0)));
}

/** interface.md, section 2.2. */
export function renderWhoisChange(
  { number }: StoredDomain,
  stored: StoredChange,
  now: Date,
): Wire<WhoisChange> {
  return whoisChange.encode(served(number, stored, now));
}

function served(domainId: number, stored: StoredChange, now: Date): WhoisChange {
  return { ...stored, domainId, createdAtHuman: relativeText(stored.createdAt, now) };
}

/** interface.md, section 2.3. */
export function renderDnsChange({ number }: StoredDomain, stored: StoredChange, now: Date): Wire<DnsChange> {
  const before = recordLines(stored.oldValue);
  const after = recordLines(stored.newValue);
  const removed = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  return dnsChange.encode({
    ...served(number, stored, now),
    fieldChangedHuman: stored.fieldChanged.replace(/_records$/, "").toUpperCase(),
    oldValueFormatted: before.join("\n"),
    newValueFormatted: after.join("\n"),
    changeSummary: `${added.length} added, ${removed.length} removed`,
    diff: [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)].join("\n"),
  });
}

/** One line for each record; text that is not a list of records is one line. */
function recordLines(value: string | null): string[] {
  if (value === null || value === "") return [];
  return (
    decodeDnsValue(value)?.map(({ host, value, ttl, priority }) =>
      priority === undefined ? `${host} ${value} (TTL ${ttl})` : `${host} ${priority} ${value} (TTL ${ttl})`,
    ) ?? [value]
  );
}

/** interface.md, section 2.4. The destination is write-only: no field repeats it. */
export function renderChannel(stored: EmulatedChannel, now: Date): Wire<NotificationChannelData> {
  const { createdAt, lastNotificationSentAt: sentAt } = stored;
  return channel.encode({
    ...stored,
    lastNotificationSentAtHuman: sentAt === null ? null : relativeText(sentAt, now),
    createdAtHuman: relativeText(createdAt, now),
  });
}

/** A page of a list. */
interface PageOf<Stored, Item> {
  /** The whole list, in its order. */
  items: readonly Stored[];
  page: number;
  perPage: number;
  /** Address of a page, but for its number. */
  address: string;
  render: (stored: Stored) => Item;
}

/** The address of the request without its query: links lead to where the client reached the service. */
export function addressOf(c: Context): string {
  const { origin, pathname } = new URL(c.req.url);
  return origin + pathname;
}

/** One page of a list (interface.md, section 2.5). A page beyond the last one is empty, and its `prev` is the last page. */
export function renderPage<Stored, Item>({ items, page, perPage, address, render }: PageOf<Stored, Item>) {
  const skipped = (page - 1) * perPage;
  const data = items.slice(skipped, skipped + perPage).map(render);
  const lastPage = Math.max(1, Math.ceil(items.length / perPage));
  const link = (target: number) => `${address}${target}`;
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
 * The body of a 422: `errors` maps field names to messages. Zod's name what was expected and the type of what came, never its value. Those on the body as a whole are
 * listed under `body`.
 */
export function validationFailure(issues: readonly z.core.$ZodIssue[]) {
  // A map, because a submitted key may be called `__proto__`.
  const errors = new Map<string, string[]>();
  const add = (field: string, text: string) => errors.set(field, [...(errors.get(field) ?? []), text]);
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) add(key, "unknown field");
    } else {
      add(String(issue.path[0] ?? "body"), issue.message);
    }
  }
  return { message: "The given data was invalid.", errors: Object.fromEntries(errors) };
}
