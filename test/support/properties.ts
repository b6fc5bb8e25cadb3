/**
 * fast-check, whose lists and texts are as long as a property says: left alone, it makes at most
 * ten elements, and never the long list or the label of 100 that the property is about.
 */
import fc from "fast-check";

fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });

const SURROGATES = 0x800;

/**
 * Any code point, as a unit of texts. fast-check's own `binary` has a table of them all, which
 * takes a second of each file.
 */
export const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + SURROGATES));

export { fc };
