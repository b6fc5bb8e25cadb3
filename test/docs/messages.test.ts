import { pageAt, pages } from "./support/markdown";
import { fixedParts, messagesOfSources } from "./support/messages";

/** One line of a table of messages. */
interface Row {
  page: string;
  message: string;
  when: string;
  toKnow: string;
}

const MESSAGE_PAGES = pages.filter(({ file }) => file.startsWith("docs/reference/messages-"));

describe("the pages of messages", () => {
  const rows = MESSAGE_PAGES.flatMap(({ file, text }) => rowsOf(file, text));
  const messages = messagesOfSources();
  const said = messages.flatMap((message) => fixedParts(message.text));

  it("are four and all have messages", () => {
    expect(MESSAGE_PAGES).toHaveLength(4);

    for (const { file } of MESSAGE_PAGES) expect(rows.some(({ page }) => page === file)).toBe(true);

    expect(messages.length).toBeGreaterThan(120);
  });

  /** Parts of the listed texts that are in no source. */
  const unknown = (texts: string[]) =>
    texts
      .flatMap(fixedParts)
      .filter((part) => !said.some((one) => one.includes(part) || part.endsWith(one)));

  it("list no message that the sources do not contain", () => {
    expect(unknown(rows.map(({ message }) => message))).toEqual([]);
  });

  it("list no message that says everything itself", () => {
    expect(rows.filter(({ when, toKnow }) => when === "" && toKnow === "")).toEqual([]);
  });

  it("have each row of a table", () => {
    const lines = MESSAGE_PAGES.flatMap(({ text }) => text.match(/^\|.*`.*$/gm) ?? []);
    expect(rows).toHaveLength(lines.length);
  });

  it("have the most common ones of troubleshooting", () => {
    const { text: page } = pageAt("docs/troubleshooting.md");
    const common = page.slice(page.indexOf("## The most"), page.indexOf("## Messages of"));
    const shown = [...common.matchAll(/^\| `(.*?)` +\|/gm)].map(([, cell]) => cell ?? "");

    expect(shown).toHaveLength(10);
    expect(unknown(shown)).toEqual([]);
  });
});

function rowsOf(page: string, text: string): Row[] {
  return [...text.matchAll(/^\| (`+) ?(.*?) ?\1 +\|(.*?)\|(.*)\|$/gm)].map(
    ([, , message = "", when = "", toKnow = ""]) => ({
      page,
      message,
      when: when.trim(),
      toKnow: toKnow.trim(),
    }),
  );
}
