import fc from "fast-check";

const SURROGATES = 0x800;

/**
 * Any code point, as a unit of texts. fast-check's own `binary` has a table of them all, which
 * takes a second of each file.
 */
export const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + SURROGATES));
