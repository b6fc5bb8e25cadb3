/** What is written from the declarations in src/ is what they say today: the API reference, and the schema of the plugin. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./support/markdown";

interface Generated {
  /** Text by path from the root. */
  written: Map<string, string>;
  undocumented: string[];
}

describe("the API reference", () => {
  const { generate }: { generate: () => Generated } = require("../../scripts/api-reference.cjs");
  const { written, undocumented } = generate();

  it("matches the declarations; if not, run `npm run generate -- docs`", () => {
    const stale = [...written]
      .filter(
        ([file, text]) =>
          !existsSync(path.join(root, file)) || readFileSync(path.join(root, file), "utf8") !== text,
      )
      .map(([file]) => file);
    expect(stale).toEqual([]);
  });

  it("has a page for each entry point, and no other", () => {
    const { exports }: { exports: Record<string, unknown> } = require("../../package.json");
    const entries = Object.entries(exports).filter(([, target]) => typeof target === "object");
    expect(readdirSync(path.join(root, "docs/api"))).toHaveLength(entries.length);
    expect([...written.keys()].filter((file) => file.startsWith("docs/api/"))).toHaveLength(entries.length);
  });

  it("does not depend on the machine: it contains no path", () => {
    for (const text of written.values()) expect(text).not.toContain(root);
  });

  it("has a comment for every published declaration and each of its members", () => {
    expect(undocumented).toEqual([]);
  });
});

it("the schema of the plugin matches the declarations; if not, run `npm run generate -- schema`", () => {
  const { target, text }: { text(): string; target: string } = require("../../scripts/plugin-schema.cjs");
  expect(readFileSync(target, "utf8")).toBe(text());
});
