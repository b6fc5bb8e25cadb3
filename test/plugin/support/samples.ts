/**
 * Every sample of a program that uses the plugin: in the schema, on the pages and in the examples.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { blocksIn, root } from "../../docs/support/markdown";

export interface Sample {
  /** Where it is: the resource or function in the schema, or the file and line of a page. */
  place: string;
  language: string;
  code: string;
}

const schema: Record<string, unknown> = require("../../../src/plugin/schema.json");

/** The programs of the examples by language. C# has none. */
const PROGRAMS: Record<string, string> = {
  typescript: "typescript-plugin/index.ts",
  python: "python/__main__.py",
  go: "go/main.go",
  java: "java/src/main/java/myproject/App.java",
  yaml: "yaml/Pulumi.yaml",
};

/** Text that occurs only in programs with the plugin, in any language. */
const OF_PLUGIN =
  /(?<![\w/.])monitoring\.\w|domainmonitoring\.\w|DomainmonitoringFunctions|(type|function): domain-monitoring:(?!index:)\w/;

export function samplesIn(language: string): Sample[] {
  return all.filter((sample) => sample.language === language);
}

/** Program blocks on pages that name no language, and are therefore not compiled. */
export const unmarked = blocksIn("text", "").filter(({ code }) => OF_PLUGIN.test(code));
const inSchema = samplesOf("schema", schema);

const onPages = blocksIn(...Object.keys(PROGRAMS), "csharp").filter(({ code }) =>
  OF_PLUGIN.test(code),
);

const inExamples = Object.entries(PROGRAMS).map(([language, file]) => {
  const place = `examples/${file}`;
  return { place, language, code: readFileSync(path.join(root, place), "utf8") };
});

const all: Sample[] = [...inSchema, ...onPages, ...inExamples];

/** The fenced blocks of all texts in a value. */
function samplesOf(place: string, value: unknown): Sample[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, part]) => samplesOf(`${place}, ${name}`, part));

  const blocks = typeof value === "string" ? [...value.matchAll(/^```(\w+)\n(.*?)^```$/gms)] : [];

  return blocks.map(([, language = "", code = ""]) => ({ place, language, code }));
}
