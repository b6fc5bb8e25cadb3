import { pageAt } from "./support/markdown";
import { fixedParts, messagesOfSources } from "./support/messages";

it("the most common messages of troubleshooting are in the sources", () => {
  const said = messagesOfSources().flatMap((message) => fixedParts(message.text));
  const { text: page } = pageAt("docs/troubleshooting.md");
  const common = page.slice(page.indexOf("## The most"), page.indexOf("## Calls"));
  const shown = [...common.matchAll(/^\| `(.*?)` +\|/gm)].map(([, cell]) => cell ?? "");

  expect(shown.length).toBeGreaterThan(5);
  expect(
    shown
      .flatMap(fixedParts)
      .filter((part) => !said.some((one) => one.includes(part) || part.endsWith(one))),
  ).toEqual([]);
});
