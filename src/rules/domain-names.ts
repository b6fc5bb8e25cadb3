/**
 * Compares domain names as DNS does: case, a final dot and the forms of IDNA make no difference.
 */
import { domainToASCII } from "node:url";

/** Parts of an address, which `domainToASCII` would cut off or decode. */
const NOT_IN_A_NAME = /[\s/\\?#%:@]/;

/**
 * A name has at most 253 characters (RFC 1035), and a final dot. Longer texts take `domainToASCII`
 * seconds.
 */
const MAXIMUM_LENGTH = 254;

/** The form in which two names are compared; undefined for a string that is not a domain name. */
export function comparableName(name: string): string | undefined {
  if (name.length > MAXIMUM_LENGTH || NOT_IN_A_NAME.test(name)) return undefined;
  return domainToASCII(name).replace(/\.$/, "") || undefined;
}

/** A label of a name in the form of {@link comparableName}. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * Whether a string can be the name of a domain that is monitored: at least two labels, and not an
 * address.
 */
export function isDomainName(name: string): boolean {
  const ascii = comparableName(name) ?? "";
  const labels = ascii.split(".");
  const isAddress = /^\d+$/.test(labels.at(-1) ?? "");

  return (
    ascii.length < MAXIMUM_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !isAddress
  );
}

/** Problem text for something that is not a domain name; follows the name of the field. */
export const NOT_A_NAME =
  'is not a domain name: use one such as "example.com", without scheme, port and path';
