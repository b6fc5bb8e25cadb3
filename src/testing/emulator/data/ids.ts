/** The source of ids: random bytes, or with a seed always the same ones. */
import { createHash, randomBytes } from "node:crypto";

/** Each kind of id has its own counter, so that the ids of channels do not depend on other requests. */
export const ID_KINDS = ["domain", "change", "changeIdentifier", "channel", "request"] as const;

type IdKind = (typeof ID_KINDS)[number];

/** Number of ids issued by kind, so that a seed continues after a restart instead of starting over. */
type IssuedIds = Readonly<Partial<Record<IdKind, number>>>;

/** The ids of one emulator. */
export class Ids {
  readonly #seed: number | undefined;
  #issued: IssuedIds = {};

  constructor(seed?: number) {
    this.#seed = seed;
  }

  /** A UUID of version 4. */
  uuid(kind: IdKind): string {
    const bytes = this.#next(kind).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** Eight hexadecimal digits. */
  token(kind: IdKind): string {
    return this.#next(kind).toString("hex", 0, 4);
  }

  issued(): IssuedIds {
    return this.#issued;
  }

  /** Continues from what `issued()` returned before. */
  restore(issued: IssuedIds): void {
    this.#issued = issued;
  }

  #next(kind: IdKind): Buffer {
    const index = this.#issued[kind] ?? 0;
    this.#issued = { ...this.#issued, [kind]: index + 1 };
    return this.#seed === undefined ? randomBytes(16) : seededBytes(this.#seed, kind, index);
  }
}

/** 32 bytes from a hash of seed, name and index: the same on every platform, and independent of the order of calls. */
function seededBytes(seed: number, name: string, index: number): Buffer {
  return createHash("sha256").update(`${seed}/${name}/${index}`).digest();
}

/** A number from 0 (inclusive) to 1 (exclusive). */
export function seededFraction(seed: number, name: string, index: number): number {
  return seededBytes(seed, name, index).readUIntBE(0, 6) / 2 ** 48;
}
