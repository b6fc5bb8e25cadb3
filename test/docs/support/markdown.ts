/**
 * The Markdown files of the repository, and the parts that tests check: headings, links, code
 * blocks.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.join(__dirname, "../../..");

/** A fenced block. */
export interface Block {
  /** File and line, for the title of a test. */
  place: string;
  file: string;
  language: string;
  code: string;
}

/** A link to another place in the repository. */
export interface Link {
  place: string;

  /** Path from the root. */
  file: string;
  anchor: string | undefined;
}

/** One file. */
export interface Page {
  /** Path from the root, with slashes. */
  file: string;
  text: string;
  anchors: Set<string>;
  links: Link[];

  /** Addresses outside of the repository. */
  addresses: string[];
  blocks: Block[];
}

/** An address of a file in this repository, which a copied example uses. */
const OWN = /^https:\/\/github\.com\/[\w-]+\/pulumi-domain-monitoring\/blob\/main\/(.+)$/;
const LEFT_OUT = new Set(["node_modules", "dist", "coverage", ".git"]);

/** Every Markdown file of the repository, read once. */
export const pages: readonly Page[] = markdownFiles("").map(readPage);

/** The page at a path from the root. */
export function pageAt(file: string): Page {
  const page = pages.find((one) => one.file === file);
  if (!page) throw new Error(`there is no page ${file}`);
  return page;
}

/** The code of the page's first block that matches. @throws if there is none */
export function codeIn(page: string, text: RegExp): string {
  const block = pageAt(page).blocks.find(({ code }) => text.test(code));
  if (!block) throw new Error(`${page} has no block with ${text}`);
  return block.code;
}

/** The blocks in one of the languages. */
export function blocksIn(...languages: string[]): Block[] {
  return pages
    .flatMap(({ blocks }) => blocks)
    .filter(({ language }) => languages.includes(language));
}

function markdownFiles(directory: string): string[] {
  return readdirSync(path.join(root, directory), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.has(name))
    .flatMap((entry) => {
      const file = path.posix.join(directory, entry.name);
      if (entry.isDirectory()) return markdownFiles(file);
      return entry.name.endsWith(".md") ? [file] : [];
    })
    .sort();
}

function readPage(file: string): Page {
  const text = readFileSync(path.join(root, file), "utf8");
  const blocks: Block[] = [];
  // Prose is the text without its blocks: a comment in a shell block is not a heading.
  const prose = text.replace(
    /^( *)```(\S*)\n(.*?)^ *```$/gms,
    (whole, indent, language, code, at) => {
      const place = `${file}:${text.slice(0, at).split("\n").length}`;
      blocks.push({
        place,
        file,
        language,
        code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      });

      return whole.replace(/[^\n]/g, "");
    },
  );

  const anchors = new Set<string>();
  for (const [, title] of prose.matchAll(/^#{1,6} (.+)$/gm))
    anchors.add(slug(title ?? "", anchors));

  const links: Link[] = [];
  const addresses: string[] = [];
  for (const match of prose.matchAll(/\]\(<?([^)\s>]+)>?\)/g)) {
    const target = match[1] ?? "";
    const [, own] = OWN.exec(target) ?? [];
    const line = prose.slice(0, match.index).split("\n").length;
    if (own !== undefined)
      links.push({ ...linkTo(own, "README.md", line), place: `${file}:${line}` });
    else if (/^[a-z]+:/.test(target)) addresses.push(target);
    else links.push(linkTo(target, file, line));
  }

  return { file, text, anchors, links, addresses, blocks };
}

function linkTo(target: string, from: string, line: number): Link {
  const [relative = "", anchor] = target.split("#");
  const file =
    relative === "" ? from : path.posix.join(path.posix.dirname(from), decodeURI(relative));

  return { place: `${from}:${line}`, file: file.replace(/\/$/, ""), anchor };
}

/** The anchor that GitHub gives a heading. Repeated anchors are numbered. */
function slug(title: string, taken: Set<string>): string {
  const plain = title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\-_ ]/gu, "")
    .replaceAll(" ", "-");
  let anchor = plain;
  for (let number = 1; taken.has(anchor); number++) anchor = `${plain}-${number}`;

  return anchor;
}
