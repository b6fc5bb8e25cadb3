/** The messages that troubleshooting quotes are those of the sources. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pageAt, root } from "./support/markdown";

/** The sources, with a text that is written in two parts as one. */
const sources = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(path.join(root, "src", file), "utf8"))
  .join("\n")
  .replace(/["`]\s*\+\s*["`]/g, "");

/** The fixed parts of a message, without the punctuation that joins them to the variable parts. */
function fixedParts(text: string): string[] {
  return text
    .split("…")
    .map((part) => part.replace(/^[\s:;,.()]+|[\s:;,.()]+$/g, ""))
    .filter((part) => part.includes(" "));
}

/** Whether the sources have a text, whose beginning may be the name of a setting or a field. */
function isSaid(text: string): boolean {
  if (sources.includes(text)) return true;
  const words = text.split(" ");
  const ends = words.map((_, index) => words.slice(index)).filter(({ length }) => length >= 3);
  return ends.some((end) => sources.includes(end.join(" ")));
}

it("the most common messages of troubleshooting are in the sources", () => {
  const { text: page } = pageAt("docs/troubleshooting.md");
  const common = page.slice(page.indexOf("## The most"), page.indexOf("## Calls"));
  const shown = [...common.matchAll(/^\| `(.*?)` +\|/gm)].map(([, cell]) => cell ?? "");

  expect(shown.length).toBeGreaterThan(5);
  expect(shown.flatMap(fixedParts).filter((part) => !isSaid(part))).toEqual([]);
});
