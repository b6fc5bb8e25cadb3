/** The data of an emulator: schemas, as a file may hold them, and the types that follow from them. */
import { z } from "zod";
import { ID_KINDS } from "./ids";
import { channelSeed, dnsSeed, sslSeed, whoisSeed } from "./schemas";

const instant = z.iso.datetime().transform((text) => new Date(text));

const change = z.strictObject({
  id: z.string(),
  identifier: z.string(),
  fieldChanged: z.string(),
  // Already encoded, as on the wire.
  oldValue: z.string().nullable(),
  newValue: z.string().nullable(),
  // `SQL-TS`.
  createdAt: z.string(),
});

/** A change as the emulator holds it. */
export type StoredChange = Readonly<z.infer<typeof change>>;

const domain = z.strictObject({
  id: z.string(),
  // By which change records name the domain, whose own id is a UUID (interface.md, section 2.2).
  number: z.int().min(1),
  domain: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  colour: z.string().nullable(),
  provider: z.string().nullable(),
  // `DATE`.
  expiresAt: z.string().nullable(),
  // Of the latest checks; null before the first ones.
  checkedAt: instant.nullable(),
  createdAt: instant,
  // Of the latest change by hand; null if there was none.
  editedAt: instant.nullable(),
  // Fields that differ from those of a healthy domain.
  components: z.strictObject({ whois: whoisSeed, dns: dnsSeed, ssl: sslSeed }),
  // Newest first.
  changes: z.strictObject({ whois: z.array(change), dns: z.array(change) }),
});

/** A domain as the emulator holds it. It is never changed, but replaced. */
export type StoredDomain = Readonly<z.infer<typeof domain>>;

export const snapshot = z.strictObject({
  format: z.literal(1),
  domains: z.array(domain),
  channels: z.array(channelSeed.required().extend({ domainId: z.string() })),
  issuedIds: z.partialRecord(z.enum(ID_KINDS), z.int().min(0)),
});

/** All data of an emulator at one time. */
export type Snapshot = z.infer<typeof snapshot>;
