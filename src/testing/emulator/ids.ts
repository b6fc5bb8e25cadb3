/** Where ids come from: random ones, or with a seed always the same. */
import { randomBytes } from "node:crypto";
import { seededBytes } from "./random";

/** What gets an id. Each kind is counted on its own, so that the ids of channels do not depend on other requests. */
export type IdKind = "domain" | "change" | "changeIdentifier" | "channel" | "request";

/** How many ids of each kind were given out: with it a seed goes on after a restart instead of beginning again. */
export type IssuedIds = Readonly<Partial<Record<IdKind, number>>>;

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

  /** Goes on, or goes back, to where `issued()` was asked. */
  restore(issued: IssuedIds): void {
    this.#issued = issued;
  }

  #next(kind: IdKind): Buffer {
    const index = this.#issued[kind] ?? 0;
    this.#issued = { ...this.#issued, [kind]: index + 1 };
    return this.#seed === undefined ? randomBytes(16) : seededBytes(this.#seed, kind, index);
  }
}
