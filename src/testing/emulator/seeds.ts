/** What becomes of a seed: every field that was left out takes the value of a healthy, checked domain. */
import { randomBytes, randomUUID } from "node:crypto";
import { DAY, dateOnly, sqlTimestamp } from "./times";
import type { ChangeSeed, DomainSeed } from "./types";

/** A domain as the emulator holds it. */
export interface StoredDomain {
  readonly id: string;
  /** The integer by which change records name the domain, whose own id is a UUID (interface.md, section 2.2). */
  readonly number: number;
  readonly domain: string;
  readonly label: string;
  readonly description: string | null;
  readonly colour: string | null;
  readonly provider: string | null;
  /** `DATE`. */
  readonly expiresAt: string | null;
  /** When the latest checks ran; null before the first ones. */
  readonly checkedAt: Date | null;
  readonly createdAt: Date;
  /** Newest first. */
  readonly changes: { readonly whois: StoredChange[]; readonly dns: StoredChange[] };
}

/** A change as the emulator holds it: its values are already encoded. */
export interface StoredChange {
  readonly id: string;
  readonly identifier: string;
  readonly fieldChanged: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  /** `SQL-TS`. */
  readonly createdAt: string;
}

type Kind = "whois" | "dns";

const record = (value: string, priority?: number) => ({ host: "@", value, ttl: 3600, priority });

const DEFAULT_VALUES: Record<string, readonly [before: unknown, after: unknown]> = {
  registrar: ["Former Registrar", "Example Registrar"],
  nameservers: [
    ["ns1.former.example", "ns2.former.example"],
    ["ns1.example.net", "ns2.example.net"],
  ],
  a_records: [[record("192.0.2.10")], [record("192.0.2.20")]],
  mx_records: [[record("mail.former.example", 10)], [record("mail.example.net", 10)]],
};

/** @param number the domain's integer, also the N of its default name `example-N.com` */
export function toDomain(seed: DomainSeed, number: number): StoredDomain {
  const now = new Date();
  const checked = seed.checked ?? true;
  const domain = seed.domain ?? `example-${number}.com`;
  const whenChecked = (value: string) => (checked ? value : null);
  return {
    id: seed.id ?? randomUUID(),
    number,
    domain,
    label: seed.label ?? domain,
    description: seed.description ?? null,
    colour: whenChecked("#2563eb"),
    provider: seed.provider === undefined ? whenChecked("Example Registrar") : seed.provider,
    expiresAt:
      seed.expiresAt === undefined
        ? whenChecked(dateOnly(new Date(now.getTime() + 365 * DAY)))
        : seed.expiresAt,
    checkedAt: checked ? now : null,
    // A domain with a history has been there for a while.
    createdAt: checked ? new Date(now.getTime() - 90 * DAY) : now,
    changes: { whois: toChanges(seed.whoisChanges, "whois"), dns: toChanges(seed.dnsChanges, "dns") },
  };
}

/** Newest first. The sort is stable: among changes of the same second the order of the seeds remains. */
function toChanges(seeds: readonly ChangeSeed[] = [], kind: Kind): StoredChange[] {
  const changes = seeds.map((seed) => toChange(seed, kind));
  return changes.sort((one, other) =>
    one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0,
  );
}

/** A change with its values encoded. Text is stored as it is, also where it is not what the interface describes. */
export function toChange(seed: ChangeSeed, kind: Kind): StoredChange {
  const fieldChanged = seed.fieldChanged ?? (kind === "whois" ? "registrar" : "a_records");
  const [before, after] = DEFAULT_VALUES[fieldChanged] ?? ["before", "after"];
  return {
    id: seed.id ?? randomUUID(),
    identifier: randomBytes(4).toString("hex"),
    fieldChanged,
    oldValue: encode(seed.oldValue === undefined ? before : seed.oldValue),
    newValue: encode(seed.newValue === undefined ? after : seed.newValue),
    createdAt: seed.createdAt ?? sqlTimestamp(new Date()),
  };
}

function encode(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  return JSON.stringify(value);
}
