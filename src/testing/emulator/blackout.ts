/** Takes secrets out of the addresses that are logged. Somebody may have put them there by mistake. */

const BLACK = "[secret]";
/** Shorter secrets are only looked for as a whole part of an address: they would be found in everything. */
const LONG = 8;

/** The path and query without any of the secrets, also where they are percent-encoded. */
export function blackOut(path: string, secrets: readonly string[]): string {
  let shown = path;
  for (const secret of secrets) {
    if (secret.length < LONG) {
      shown = shown.replace(/[^/?&=]+/g, (part) => (decode(part) === secret ? BLACK : part));
    } else {
      shown = shown.replaceAll(secret, BLACK).replaceAll(encode(secret), BLACK);
      // Encoded in some other way, of which there are many: nothing of it can be shown.
      if (decode(shown).includes(secret)) shown = `/${BLACK}`;
    }
  }
  return shown;
}

/** A secret that is no text cannot be encoded; nor can it have come in an address. */
function encode(secret: string): string {
  return /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Only what stands for a byte of ASCII: the rest is no text.
    return text.replace(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}
