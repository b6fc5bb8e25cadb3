/** The links of all pages lead somewhere. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { type Link, pages, root } from "./support/markdown";

describe("links in Markdown", () => {
  it("point to files and directories that exist", () => {
    const dead = pages
      .flatMap(({ links }) => links)
      .filter(({ file }) => !existsSync(path.join(root, file)))
      .map(({ place, file }) => `${place} links to ${file}`);

    expect(dead).toEqual([]);
  });

  it("point to headings that exist", () => {
    const dead = pages
      .flatMap(({ links }) => links)
      .filter(({ file, anchor }) => anchor !== undefined && !hasAnchor(file, anchor))
      .map(({ place, file, anchor }) => `${place} links to ${file}#${anchor}`);

    expect(dead).toEqual([]);
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

    expect(addresses.length).toBeGreaterThan(10);
    expect(
      addresses.filter(({ address }) => !URL.canParse(address) || !/^https:/.test(address)),
    ).toEqual([]);
  });
});

/** A link to a directory shows its README. */
function pageOf({ file }: Link): string {
  const target = path.join(root, file);
  const isDirectory = existsSync(target) && statSync(target).isDirectory();
  return isDirectory ? path.posix.join(file, "README.md") : file;
}

function hasAnchor(file: string, anchor: string): boolean {
  const page = pages.find((one) => one.file === file);
  // The anchor may name lines of a source file.
  if (!page) return /^L\d+$/.test(anchor);
  return page.anchors.has(anchor);
}
