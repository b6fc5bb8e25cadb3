import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const src = path.join(__dirname, "../../src");

/** The rooms from the top of the house to its bottom. Nobody below imports from above. */
const ORDER = [
  "cli",
  "testing",
  "policy",
  "components",
  "resources",
  "functions",
  "provider",
  "config",
  "client",
];

/** Rooms that stand beside each other: what deploys channels and what runs in the engine's process know nothing of one another. */
const FORBIDDEN_PACKAGES: Record<string, RegExp> = {
  provider: /^@pulumi\//,
  config: /^@pulumi\/|^undici$|^zod$/,
  client: /^@pulumi\//,
  resources: /^undici$|^zod$|^hono/,
  functions: /^undici$|^zod$|^hono/,
};

function room(file: string): string {
  return path.relative(src, file).split(path.sep)[0]?.replace(/\.ts$/, "") ?? "";
}

interface Import {
  from: string;
  to: string;
  file: string;
}

const imports: Import[] = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => {
    const file = path.join(src, name);
    const specifiers = [
      ...readFileSync(file, "utf8").matchAll(/(?:from|import|require\(|import\()\s*\(?"([^"]+)"/g),
    ];
    return specifiers.map((match) => ({ from: room(file), to: match[1] ?? "", file: name }));
  });

describe("the rooms of the house", () => {
  it("are found: the test would otherwise pass on nothing", () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it("import downwards only", () => {
    const upward = imports.filter(({ from, to, file }) => {
      if (!to.startsWith(".") || to.endsWith("package.json") || from === "index") return false;
      const target = room(path.resolve(src, path.dirname(file), to));
      return ORDER.indexOf(target) < ORDER.indexOf(from);
    });
    expect(upward).toEqual([]);
  });

  it("leave out the packages that they must not load", () => {
    const forbidden = imports.filter(({ from, to }) => FORBIDDEN_PACKAGES[from]?.test(to));
    expect(forbidden).toEqual([]);
  });

  it("are all in the list", () => {
    const rooms = new Set(imports.map(({ from }) => from));
    expect([...rooms].filter((name) => name !== "index" && !ORDER.includes(name))).toEqual([]);
  });
});
