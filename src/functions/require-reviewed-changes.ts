/** `requireReviewedChanges`: fails where a domain has changes that nobody has reviewed. */
import type { DomainMonitoringClient } from "../client/client";
import { type Reading, readAll } from "../client/pages";
import { canonicalId } from "../client/rules";
import type { DnsChange, WhoisChange } from "../client/types";
import { CHANGE_KINDS, type ChangeKind } from "../rules/fields";
import {
  type DescribedChange,
  describeChange,
  type KnownChange,
  type ReviewRule,
  reviewMessage,
  unreviewedChanges,
  withoutRecord,
} from "../rules/reviewed-changes";
import { optional, REACTION, SINCE } from "../rules/scalars";
import { newestChanges } from "./changes";
import {
  BY_ID_OR_NAME,
  domainOf,
  type GetDomainByIdArgs,
  type GetDomainByNameArgs,
} from "./domains";
import { defineFunction, listOf } from "./function";

/** Which changes {@link requireReviewedChanges} looks at, and which were reviewed. */
export interface ReviewedChangesRule extends ReviewRule {
  /** Changes since then, inclusive: `DATE` or `SQL-TS`. */
  since: string;

  /** Kinds of changes. @default ["whois"] */
  kinds?: ChangeKind[] | undefined;

  /** Reaction to a change that is not in `reviewed`. @default "error" */
  mode?: "error" | "warn" | undefined;
}

/** A rule for the domain with this identifier. */
export interface RequireReviewedChangesByIdArgs extends ReviewedChangesRule, GetDomainByIdArgs {}

/** A rule for the domain with this name. @experimental as in `getDomain` */
export interface RequireReviewedChangesByNameArgs
  extends ReviewedChangesRule,
    GetDomainByNameArgs {}

/** Arguments of {@link requireReviewedChanges}: the rule, and exactly one of `id` and `domain`. */
export type RequireReviewedChangesArgs =
  | RequireReviewedChangesByIdArgs
  | RequireReviewedChangesByNameArgs;

/** Result of {@link requireReviewedChanges}. */
export interface RequireReviewedChangesResult {
  /** Identifier of the domain. */
  domainId: string;

  /** Domain name. */
  domain: string;

  /** The changes that are not in `reviewed`, newest first. */
  unreviewed: DescribedChange[];

  /** The result in one line. */
  message: string;
}

/** Changes of a domain that nobody has reviewed (interface.md, sections 4.2 and 4.3). */
export const requireReviewedChanges = defineFunction(
  "requireReviewedChanges",
  {
    ...BY_ID_OR_NAME,
    since: SINCE,
    kinds: optional(listOf("kinds of changes", toKind)),
    fields: optional(listOf("field names", toText)),
    reviewed: optional(listOf("change ids", toId)),
    mode: optional(REACTION),
  },
  async (args, host): Promise<RequireReviewedChangesResult> => {
    const { since, kinds = ["whois"], fields, reviewed, mode } = args;
    const { id: domainId, domain } = await domainOf("requireReviewedChanges", args, host);
    const read = kinds.map((kind) => readChanges(host.client, domainId, kind, since));
    const readings = await Promise.all(read);

    for (const { error } of readings) if (error) throw error;
    const changes = readings.flatMap(({ records }) => records);
    const unreviewed = unreviewedChanges(changes, { fields, reviewed }).map(withoutRecord);
    const message = reviewMessage(domain, unreviewed);

    if (unreviewed.length > 0) {
      if (mode !== "warn") throw host.failure(message);
      await host.warn(message);
    }

    return { domainId, domain, unreviewed, message };
  },
);

function toKind(item: unknown): ChangeKind | undefined {
  return CHANGE_KINDS.find((kind) => kind === item);
}

function toId(item: unknown): string | undefined {
  const id = toText(item);
  return id === undefined ? undefined : canonicalId(id);
}

function toText(item: unknown): string | undefined {
  return typeof item === "string" && item !== "" ? item : undefined;
}

/** The changes of one kind since a date, newest first. */
export interface ChangesReading extends Reading<KnownChange> {
  /** Every id and field of the whole list, including older changes. */
  all: readonly Pick<KnownChange, "id" | "fieldChanged">[];
}

export async function readChanges(
  client: DomainMonitoringClient,
  domainId: string,
  kind: ChangeKind,
  since: Date,
): Promise<ChangesReading> {
  const list = kind === "whois" ? client.whoisChanges : client.dnsChanges;
  const { records, error } = await readAll<WhoisChange | DnsChange>(list.iterate(domainId));
  const described = newestChanges(records, since).map((change) => describeChange(kind, change));

  return {
    records: described.filter((change) => change !== undefined),
    error,
    all: records.map(({ id, fieldChanged }) => ({ id, fieldChanged })),
  };
}
