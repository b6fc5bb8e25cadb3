/** Bytes that a seed decides. A hash of seed, name and index: the same everywhere, and no draw depends on another's order. */
import { createHash } from "node:crypto";

/** 32 bytes for the index-th draw under this name. */
export function seededBytes(seed: number, name: string, index: number): Buffer {
  return createHash("sha256").update(`${seed}/${name}/${index}`).digest();
}

/** A number from 0 up to and without 1. */
export function seededFraction(seed: number, name: string, index: number): number {
  return seededBytes(seed, name, index).readUIntBE(0, 6) / 2 ** 48;
}
