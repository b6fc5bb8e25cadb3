/** The schema's metadata, by the rules of pulumi/registry for listing a package. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { read, root } from "./support/packed";

interface Schema {
  version: string;
  keywords: string[];
  language: Record<string, { importBasePath?: string; readme?: string }>;
  resources: Record<string, { description: string }>;
  functions: Record<string, { description: string }>;
  [name: string]: unknown;
}

const schema: Schema = require("../../src/plugin/schema.json");
const manifest: { version: string; engines: { node: string } } = require("../../package.json");

const {
  identityOf,
}: { identityOf(of: object): Record<string, string> } = require("../../scripts/release/owner.cjs");

const { PARTS }: { PARTS: object } = require("../../scripts/reference/registry.cjs");

const samples: {
  EXAMPLES: Record<string, object>;
  LANGUAGES: string[];
} = require("../../scripts/plugin-schema/examples.cjs");

const shortName = (token: string) => token.replace("domain-monitoring:index:", "");

describe("the schema", () => {
  it("has the metadata that a registry shows, of the owner in package.json", () => {
    const { repository, publisher, pluginDownloadURL } = identityOf(manifest);
    const owned = { version: manifest.version, repository, publisher, pluginDownloadURL };
    expect(schema).toMatchObject(owned);
    const download = /^github:\/\/api\.github\.com\/[\w-]+\/pulumi-domain-monitoring$/;
    expect(pluginDownloadURL).toMatch(download);

    for (const name of ["displayName", "description", "homepage", "license", "logoUrl"])
      expect(schema[name]).toEqual(expect.stringMatching(/\S/));

    const categories = schema.keywords.filter((word) => word.startsWith("category/"));
    expect(categories).toEqual(["category/monitoring"]);
    expect(schema.keywords).toContain("kind/native");
    // The text names no language's package.
    expect(schema.description).not.toMatch(/typed|client|npm|TypeScript/);
  });

  it("names packages and addresses by safe characters only", () => {
    const named = (name: string, value: unknown) => (name === "readme" ? undefined : value);
    const names = JSON.stringify(schema.language, named).match(/"[^"]*"/g) ?? [];
    // A name, or the versions of a package.
    for (const name of names) expect(name).toMatch(/^"(?:[A-Za-z0-9._:@/*-]+|[\^<>=,.\d]+)"$/);
    for (const at of ["homepage", "repository", "logoUrl"])
      expect(schema[at]).toEqual(expect.stringMatching(/^https:\/\/[\w./-]+$/));
  });

  it("has a logo that is not an SVG, as NuGet requires", () => {
    const file = /\/main\/(.+\.png)$/.exec(String(schema.logoUrl))?.[1] ?? "";
    expect(readFileSync(path.join(root, file)).subarray(1, 4).toString()).toBe("PNG");
  });

  it.each([
    ["nodejs", "typescript"],
    ["python", "python"],
  ])("has for the SDK of %s a README with a program in %s and working links", (sdk, language) => {
    const { readme = "" } = schema.language[sdk] ?? {};
    expect(readme).toContain(`\`\`\`${language}\n`);

    const pages = [...readme.matchAll(/\/blob\/main\/([^)]+)\)/g)].map(([, file = ""]) => file);
    expect(pages.length).toBeGreaterThan(1);

    for (const file of pages) expect(existsSync(path.join(root, file))).toBe(true);
  });

  it("has an example in every language for the resource and each function", () => {
    const described = { ...schema.resources, ...schema.functions };
    expect(Object.keys(described).map(shortName)).toEqual(Object.keys(samples.EXAMPLES));

    for (const { description } of Object.values(described)) {
      const [text = ""] = description.split("\n\n## Import\n");
      const blocks = [...text.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
      expect(blocks).toEqual(samples.LANGUAGES);
      expect(text).toMatch(/\n\{\{% \/example %\}\}\n\{\{% \/examples %\}\}$/);
    }
  });

  it.each([
    ["NotificationChannel", "on-call DOMAIN_ID/CHANNEL_ID"],
    ["Domain", "shop DOMAIN_ID"],
  ])("says how to import a %s, with the command and the form of the id", (name, named) => {
    const token = `domain-monitoring:index:${name}`;
    const { description = "" } = schema.resources[token] ?? {};
    expect(description).toMatch(/\n\n## Import\n\n[^`]+:\n\n```sh\n.*\n```$/);
    expect(description).toContain(`pulumi import ${token} ${named}`);
  });
});

it("the owner of Go's import path is that of package.json", () => {
  const { goModule } = identityOf(manifest);
  expect(schema.language.go?.importBasePath).toBe(`${goModule}/domainmonitoring`);

  for (const file of ["examples/go/go.mod", "examples/go/main.go", "docs/languages.md"])
    expect(read(file)).toContain(goModule);
});

const pages = ["docs/_index.md", "docs/installation-configuration.md"].map(
  (file) => [file, read(file)] as const,
);

it("the pages have each part that is written from the schema once, and the Node version of package.json", () => {
  const text = pages.map(([, page]) => page).join("");
  const parts = [...text.matchAll(/^<!-- registry: (\w+) -->$/gm)].map(([, name]) => name);
  expect(parts.sort()).toEqual(Object.keys(PARTS).sort());

  const versions = [...text.matchAll(/Node (\d[\d.]*\d) or newer/g)];
  expect(versions.map(([, version]) => `>=${version}`)).toEqual([manifest.engines.node]);
});

describe.each(pages)("the page %s", (_file, text) => {
  it("begins with what the registry sorts it by", () => {
    expect(text).toMatch(/^---\ntitle: [^:\n]+\nmeta_desc: \S.{20,160}\nlayout: package\n---\n/);
  });

  it("has only absolute links and images", () => {
    const targets = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(0);
    for (const target of targets) expect(target).toMatch(/^https:\/\//);
    expect(text).not.toMatch(/\.md\b|!\[[^\]]*\]\((?!https:)|<a href="\/|<img/);
  });
});
