/**
 * An object of the service, described once: from its fields in camelCase follow the names on the wire, the schema of an answer,
 * and how it is read and written. The types stay in `types.ts`, and the compiler compares each description with its type.
 */
import { z } from "zod";
import { type Wire, wireName } from "./names";

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
