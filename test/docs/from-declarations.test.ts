/** The parts of the reference that come from declarations in src/ are up to date. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./support/markdown";

interface Generated {
  /** Text of each page by its path from the root. */
  written: Map<string, string>;
  undocumented: string[];
}

describe("what the reference has of the declarations", () => {
  const { generate }: { generate: () => Generated } = require("../../scripts/reference.cjs");
  const { written, undocumented } = generate();

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
