/**
 * How the JSON of answers is read: from one description of an object follow its names on the wire, its schema, and its reading.
 * Loading this module loads zod.
 */
import { z } from "zod";
import { UnexpectedShape } from "./failure";
import { wireName } from "./operation";

interface Codec<T, Schema extends z.ZodType = z.ZodType> {
  /** Drops unknown fields. */
  readonly schema: Schema;
  /** Reads what the schema has accepted. */
  decode(wire: unknown): T;
}

export type ObjectCodec<T> = Codec<T, z.ZodObject>;

/** A field that may have several forms on the wire. */
function field<Schema extends z.ZodType, T>(
  schema: Schema,
  decode: (wire: z.infer<Schema>) => T,
): Codec<T, Schema> {
  return { schema, decode };
}

/** A field that is the same on both sides; if null is possible, it may also be missing on the wire. */
type Plain<T> = z.ZodType<null extends T ? T | undefined : T>;

/**
 * An object, described once: from its fields in camelCase follow the names on the wire, the schema, and how it is read.
 * The compiler compares the description with the type.
 *
 * @param fields in the order in which they are read
 */
export function codec<T extends object>(
  fields: {
    readonly [Name in keyof T]-?: Plain<T[Name]> | Codec<T[Name]>;
  },
): ObjectCodec<T> {
  const parts = Object.entries<z.ZodType | Codec<unknown>>(fields).map(([name, field]) => ({
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
  } as ObjectCodec<T>;
}

/** May be missing, as before the first check. */
export const nullableText = z.string().nullish();

/** Some databases return 0 and 1, or these as text. */
export const flag = field(
  z.literal([true, false, 1, 0, "1", "0"], "expected a boolean"),
  (wire) => Number(wire) === 1,
);

/** PHP encodes an array with gaps as an object. */
export const texts = field(
  z.union(
    [z.array(z.string()), z.record(z.string().regex(/^\d+$/), z.string())],
    "expected an array of strings",
  ),
  (wire) => (Array.isArray(wire) ? wire : Object.values(wire)),
);

/** Some databases return numbers as text. */
export const count = field(
  z.union([z.int(), z.string().regex(/^\d{1,15}$/)], "expected a whole number"),
  Number,
);

export const optionalCount = field(count.schema.nullish(), (wire) =>
  wire === null || wire === undefined ? null : Number(wire),
);

const MAX_FIELDS = 3;

/** @throws UnexpectedShape */
export function parse<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const known = Object.keys(schema.shape);
  const foreign = typeof body !== "object" || body === null || !known.some((field) => field in body);
  throw new UnexpectedShape(describe(result.error), foreign);
}

/** Names fields, and what was expected of them, without values. */
export function describe({ issues }: z.ZodError): string {
  const named = issues.slice(0, MAX_FIELDS).map(expectation);
  if (issues.length > MAX_FIELDS) named.push(`${issues.length - MAX_FIELDS} more`);
  return named.join("; ");
}

function expectation(issue: z.core.$ZodIssue): string {
  const path = issue.path.join(".");
  const expected = issue.code === "invalid_type" ? `expected ${withArticle(issue.expected)}` : issue.message;
  return path === "" ? expected : `${path}: ${expected}`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
