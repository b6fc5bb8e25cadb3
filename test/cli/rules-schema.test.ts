/** The JSON Schema of the rules file, for editors. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { parseRules } from "../../src/cli/rules/file";

const root = path.join(__dirname, "../..");
const shipped = readFileSync(path.join(root, "examples/gitops/domain-monitoring.yaml"), "utf8");

interface Schema {
  $ref?: string;
  definitions?: Record<string, Schema>;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | false;
}

const rulesSchema: Schema = require("../../rules.schema.json");

/** What stands more than once is defined once. */
function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace("#/definitions/", "") ?? "";
  return rulesSchema.definitions?.[name] ?? schema;
}

/** Keys that the schema does not know. A validator would also find them. */
function unknownKeys(value: unknown, schema: Schema, at = ""): string[] {
  const options = (resolved(schema).anyOf ?? [schema]).map(resolved);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];

  const isObject = (one: Schema) => one.properties ?? one.additionalProperties;
  const { properties = {}, additionalProperties } = options.find(isObject) ?? schema;

  return Object.entries(value).flatMap(([key, part]) => {
    const known = properties[key] ?? additionalProperties;
    return known ? unknownKeys(part, known, `${at}/${key}`) : [`${at}/${key}`];
  });
}

it("is the one that the command checks with; if not, run `npm run generate -- rules-schema`", () => {
  const { text }: { text: () => string } = require("../../scripts/rules-schema.cjs");
  expect(readFileSync(path.join(root, "rules.schema.json"), "utf8")).toBe(text());
});

it("is in the package, where the first line of the shipped file names it", () => {
  const manifest: { name: string; files: string[] } = require("../../package.json");
  const named = /^# yaml-language-server: \$schema=\.\/node_modules\/(\S+)\/(\S+)\n/.exec(shipped);
  expect(named?.slice(1)).toEqual([manifest.name, "rules.schema.json"]);
  expect(manifest.files).toContain("rules.schema.json");
});

it("knows exactly the keys of the shipped file and its examples", () => {
  // The examples in the file are comments with one space.
  const examples = shipped.replace(
    /^( *)# (registrars:|issuers:|channels:|groups:|domains:| {2})/gm,
    "$1$2",
  );

  expect(() => parseRules(examples, "shipped", new Date("2026-11-23T12:00:00Z"))).not.toThrow();

  const rules: unknown = parse(examples);
  expect(Object.keys(Object(rules))).toEqual(
    expect.arrayContaining(["channels", "groups", "domains"]),
  );
  expect(unknownKeys(rules, rulesSchema)).toEqual([]);
  expect(
    unknownKeys(
      { registration: { minimumdays: 3 }, domains: { "a.example": { x: 1 } } },
      rulesSchema,
    ),
  ).toEqual(["/registration/minimumdays", "/domains/a.example/x"]);
});
