/**
 * Text of the service that may be somebody's secret, recognised by its form: a destination, a key,
 * a telephone number. The host of an address is shown, and so are dates and amounts, which
 * otherwise look like telephone numbers.
 */

/** A host that follows an `@`, also with the full stops of other scripts. */
const HOST = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}.\u3002\uff0e\uff61-]*[\\p{L}\\p{N}])?";

/** A part of a host's name, unless it may be a key. */
const LABEL =
  "(?![a-z\\d]{16}|[\\da-f]{8}-[\\da-f]{4}-)[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?";

const DAY = "(?:0?[1-9]|[12]\\d|3[01])";
const MONTH = "(?:0?[1-9]|1[0-2])";
const DATE = `(?:\\d{4}[-/.]${MONTH}[-/.]${DAY}|${DAY}[/.-]${MONTH}[/.-]\\d{4}|${MONTH}/${DAY}/\\d{4})`;
const TIME = "\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?";
const BYTE = "(?:1?\\d?\\d|2[0-5]\\d)";
const UNIT = "(?:[kmgt]?i?b|bytes|[mµ]?s|(?:milli)?seconds|%|€|\\$|£|EUR|USD|GBP|CHF)";

const START = "(?<![\\p{L}\\p{N}+])";
const END = "(?![\\p{L}\\p{N}])";

/** Forms, and the part that is shown; the first match counts. */
const FORMS: readonly { form: string; shown: (text: string) => string | undefined }[] = [
  // An address on the web, also with the slashes as PHP escapes them.
  { form: "[a-z][a-z\\d+.-]*:(?:\\\\?/){2}\\S*", shown: withoutPath },
  { form: "[a-z][a-z\\d+.-]*%3a%2f%2f\\S*", shown: nothing },
  {
    // An e-mail address.
    form: `(?:"[^"\\n]*"|[^\\s@\uff20<>()[\\]"“”«»,;:]+)(?:[@\uff20]|%40)${HOST}`,
    shown: (text) => text.replace(/^.*(?:[@\uff20]|%40)/isu, "…@"),
  },
  {
    // A host, and an address without its scheme.
    form: `${START}(?:${LABEL}\\.)+\\p{L}{2,24}(?::\\d{1,5})?(?![\\p{L}\\p{N}_-])(?:[/?]\\S*)?`,
    shown: withoutPath,
  },
  {
    // A date, with or without a time.
    form: `${START}${DATE}(?:[ T]${TIME})?(?![-/.]?\\d)${END}`,
    shown: whole,
  },
  // An amount: with commas between thousands, or a unit.
  { form: `${START}[1-9]\\d{0,2}(?:,\\d{3})+(?:\\.\\d+)?${END}`, shown: whole },
  { form: `${START}[1-9]\\d*(?:\\.\\d+)? ?${UNIT}${END}`, shown: whole },
  // The two codes with which a mail server refuses, and the address of one.
  { form: `${START}[245]\\d\\d[ -][245]\\.\\d{1,3}\\.\\d{1,3}${END}`, shown: whole },
  {
    form: `${START}${BYTE}(?:\\.${BYTE}){3}(?!\\.?\\d)${END}`,
    shown: whole,
  },
  // A key, an encoded one, or a path that may have one.
  { form: "(?=[a-z_+/=-]*\\d)(?=[\\d_+/=-]*[a-z])[a-z\\d_+/=-]{16,}", shown: nothing },
  // A number such as that of a telephone, however it is grouped.
  { form: "\\+?\\p{Nd}(?:[^\\p{L}\\p{N},;:!?]{0,3}\\p{Nd}){6,}", shown: nothing },
];

const ANY_FORM = new RegExp(FORMS.map(({ form }) => `(${form})`).join("|"), "giu");

/**
 * A text without what may be somebody's secret. @param mark stands in place of what is hidden whole
 * @param isPublic whether what was recognised is known to be no secret
 */
export function withoutForms(
  text: string,
  mark: string,
  isPublic: (words: string) => boolean,
): string {
  return text.replace(ANY_FORM, (found: string, ...groups: unknown[]) => {
    if (isPublic(found)) return found;

    const index = groups.findIndex((group) => group !== undefined);

    return FORMS[index]?.shown(found) ?? mark;
  });
}

function whole(text: string): string {
  return text;
}

function nothing(): undefined {}

/** Scheme, host and path of an address. What comes before an `@` is a user name or a password. */
const ADDRESS =
  /^([^/]*:\/\/)?(?:[^/?#\\]*@)?((?:\[[\da-f:.]+\]?|[\p{L}\p{N}._-]*)(?::\d{1,5})?)(.*)$/isu;

/** Scheme and host of an address, and the punctuation after it. */
function withoutPath(address: string): string {
  const [end = ""] = /[^\p{L}\p{N}/]*$/u.exec(address) ?? [];
  const plain = address.slice(0, address.length - end.length).replaceAll("\\/", "/");
  const [, scheme = "", host = "", path = ""] = ADDRESS.exec(plain) ?? [];

  return scheme + host + (path.length > 1 ? "/…" : path) + end;
}
