import { pageAt } from "./support/markdown";
import { fixedParts, messagesOfSources } from "./support/messages";

/** What users read that is no message: parts of others, what doctor says where all is well, help of metrics. */
const NOT_TO_BE_SOLVED = [
  "pulumi config set",
  "from 1 to",
  "read from the selected stack",
  "reachable, and the token is accepted: the id is that of",
  "from stack config",
  "the same for",
  "the call has ended",
  "Promise rejection was handled asynchronously",
  "s for the rate limit",
  "min left",
  "Beginning of the day, in UTC, on which the registration expires",
  "Time at which the certificate expires",
  "Time of the last check of a component",
  "Number of violations of the rules that no exception accepts",
  "Whether everything about the domain could be determined (1) or not (0",
];

describe("the list of messages", () => {
  const { text } = pageAt("docs/reference/messages.md");
  const texts = [...text.matchAll(/^\| (`+) ?(.*?) ?\1 +\|/gm)].map(([, , content]) => content ?? "");
  const messages = messagesOfSources();
  const said = messages.flatMap((message) => fixedParts(message.text));

  it("is found on the page and in the sources", () => {
    expect(texts.length).toBeGreaterThan(100);
    expect(messages.length).toBeGreaterThan(120);
  });

  /** Parts of the listed texts that no source says. */
  const unknown = (texts: string[]) =>
    texts.flatMap(fixedParts).filter((part) => !said.some((one) => one.includes(part) || part.endsWith(one)));

  it("lists every message of the sources", () => {
    const missing = messages.flatMap(({ file, text: message }) =>
      fixedParts(message)
        .filter((part) => !text.includes(part) && !NOT_TO_BE_SOLVED.includes(part))
        .map((part) => `${file}: ${part}`),
    );
    expect(missing).toEqual([]);
  });

  it("lists no message that the sources do not contain", () => {
    expect(unknown(texts)).toEqual([]);
  });

  it("has the most common ones of troubleshooting", () => {
    const { text: page } = pageAt("docs/troubleshooting.md");
    const common = page.slice(page.indexOf("## The most"), page.indexOf("## Messages of"));
    const shown = [...common.matchAll(/^\| `(.*?)` +\|/gm)].map(([, cell]) => cell ?? "");
    expect(shown).toHaveLength(10);
    expect(unknown(shown)).toEqual([]);
  });

  it("exempts no message that no longer exists", () => {
    for (const part of NOT_TO_BE_SOLVED) expect(said).toContain(part);
  });
});
