/**
 * The generated SDK for C# and its samples compile, with the compiler of Mono and against
 * declarations of Pulumi's SDK. No C# program runs here.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { root } from "../docs/support/markdown";
import { samplesIn } from "../plugin/support/samples";
import { Cli } from "../support/cli";
import { isOnPath } from "../support/on-path";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";

const schema: {
  types: Record<string, { enum?: object }>;
} = require("../../src/plugin/schema.json");

const missing = ["pulumi", "pulumi-language-dotnet", "mcs"].find((command) => !isOnPath(command));
const title = `C#: the SDK and its samples compile${missing ? ` (there is no ${missing} on PATH)` : ""}`;

/** Types with values, of which `?` makes another type. The compiler has no nullable references. */
const VALUES = [
  "int",
  "bool",
  "double",
  ...Object.keys(schema.types)
    .filter((token) => schema.types[token]?.enum)
    .map((token) => token.split(":")[2]),
];

/** Code in the version of the language that the compiler knows. */
function inOldSyntax(code: string): string {
  return code
    .replaceAll("null!", "null")
    .replaceAll("default!", "default(T)")
    .replaceAll("readonly struct", "struct")
    .replaceAll("using var", "var")
    .replaceAll('Split("\\n")', "Split('\\n')")
    .replace(/([\w>\]]+)\?(?=[>,)[]|\s+@?\w+\s*[,;=)({])/g, (all, type) =>
      VALUES.includes(type) ? all : type,
    );
}

/** A sample as a class: its statements stand outside of one, and it leaves out types. */
function asClass(code: string, name: string): string {
  const [usings = "", ...rest] = code.split("\n\n");
  const body = rest
    .join("\n\n")
    .replace("return await ", "return ")
    .replaceAll("object?", "object")
    .replace(/new (Monitoring\.\w+)\(("[^"]*"), new\(\)/g, "new $1($2, new $1Args()")
    .replace(/(Monitoring\.\w+)\.Invoke\(new\(\)/g, "$1.Invoke(new $1InvokeArgs()");

  return `${usings}\n\nclass ${name} { static System.Threading.Tasks.Task<int> Run() {\n${body}} }\n`;
}

/** Generates the SDK. The generator fetches the logo, so it is served here. */
async function generate(directory: string): Promise<void> {
  const logo = readFileSync(path.join(root, "docs/images/logo.png"));
  const server = createServer((_request, response) => response.end(logo));
  const cli = new Cli(directory, {});
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const local = { ...schema, logoUrl: `http://127.0.0.1:${port}/logo.png` };
    writeFileSync(path.join(directory, "schema.json"), JSON.stringify(local));
    const args = ["package", "gen-sdk", "schema.json", "--language", "dotnet", "--out", "sdk"];
    expect(await cli.run(...args)).toMatchObject({ code: 0 });
  } finally {
    server.close();
  }
}

(missing ? it.skip : it)(title, async () => {
  const directory = temporaryDirectory();
  await generate(directory);
  const sources = path.join(directory, "sources");
  mkdirSync(sources);

  const generated = path.join(directory, "sdk/dotnet");
  const files = readdirSync(generated, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".cs"))) {
    const code = readFileSync(path.join(generated, file), "utf8");
    writeFileSync(path.join(sources, file.replaceAll(path.sep, "_")), inOldSyntax(code));
  }

  const samples = samplesIn("csharp");
  samples.forEach(({ code }, index) => {
    writeFileSync(path.join(sources, `Sample${index}.cs`), asClass(code, `Sample${index}`));
  });

  const compile = () => {
    const declarations = path.join(__dirname, "support/pulumi-sdk.cs");
    const options = ["-langversion:7.2", "-target:library", "-warn:0", "-out:compiled.dll"];
    return run("mcs", [...options, declarations, "sources/*.cs"], { cwd: directory });
  };

  expect(samples.length).toBeGreaterThanOrEqual(8);
  expect(await compile()).toMatchObject({ code: 0, output: "" });

  const [first] = samples;
  const mistake = asClass(first?.code.replace("Label =", "LabelWrong =") ?? "", "Sample0");
  writeFileSync(path.join(sources, "Sample0.cs"), mistake);

  expect((await compile()).output).toContain("LabelWrong");
});
