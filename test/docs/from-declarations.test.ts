/** What comes from declarations in src/ is up to date: parts of the reference, and the plugin's schema. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./support/markdown";

interface Generated {
  /** Text of each page by its path from the root. */
  written: Map<string, string>;
  undocumented: string[];
}

describe("what the reference has of the declarations", () => {
  const { written, undocumented }: Generated = require("../../scripts/reference.cjs").generate();

  it("matches the declarations; if not, run `npm run generate -- docs`", () => {
    const stale = [...written]
      .filter(([file, text]) => readFileSync(path.join(root, file), "utf8") !== text)
      .map(([file]) => file);

    expect(stale).toEqual([]);
  });

  it("does not depend on the machine: it contains no path", () => {
    for (const text of written.values()) expect(text).not.toContain(root);
  });

  it("has a comment for every published declaration and each of its members", () => {
    expect(undocumented).toEqual([]);
  });
});

it("the plugin's schema is current; if not, run `npm run generate -- schema`", () => {
  const schema: { target: string; text(): string } = require("../../scripts/plugin-schema.cjs");
  expect(readFileSync(schema.target, "utf8")).toBe(schema.text());
});
