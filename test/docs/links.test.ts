/** The links of all pages lead somewhere. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { type Link, pages, root } from "./support/markdown";

describe("links in Markdown", () => {
  const all = pages.flatMap(({ links }) => links);

  it("point to files and directories that exist", () => {
    expect(all.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it("point to headings that exist", () => {
    expect(all.filter((link) => !hasAnchor(link))).toEqual([]);
  });

  it("reach every page of the documentation from the index", () => {
    const reached = new Set<string>();
    const waiting = ["docs/README.md"];
    for (const file of waiting) {
      if (reached.has(file)) continue;
      reached.add(file);
      const page = pages.find((one) => one.file === file);
      waiting.push(...(page?.links ?? []).map(pageOf));
    }

    const documents = pages
      .map(({ file }) => file)
      .filter((file) => /^(docs|examples|bench)\//.test(file));

    expect(documents.filter((file) => !reached.has(file))).toEqual([]);
  });

  it("use https if they leave the repository", () => {
    const addresses = pages.flatMap(({ addresses: some, file }) =>
      some.map((address) => ({ file, address })),
    );

    const wrong = addresses.filter(
      (one) => !URL.canParse(one.address) || !/^https:/.test(one.address),
    );
    expect(addresses.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });
});

/** A link to a directory shows its README. */
function pageOf({ file }: Link): string {
  const target = path.join(root, file);
  const isDirectory = existsSync(target) && statSync(target).isDirectory();
  return isDirectory ? path.posix.join(file, "README.md") : file;
}

function hasAnchor({ file, anchor }: Link): boolean {
  if (anchor === undefined) return true;
  const page = pages.find((one) => one.file === file);
  // The anchor may name lines of a source file.
  if (!page) return /^L\d+$/.test(anchor);
  return page.anchors.has(anchor);
}
