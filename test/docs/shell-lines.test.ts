/**
 * What the lines of `sh` blocks name is there: scripts, packages, settings and variables.
 * shell-commands.test.ts runs this package's own commands, test/gitops/commands.test.ts looks their
 * options up, and first-run.engine.test.ts follows whole guides.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { LIFECYCLE_KEY, SETTINGS } from "../../src/names";
import { pageAt, root } from "./support/markdown";
import { calls, lines, wordsOf } from "./support/shell";

interface Manifest {
  name?: string;
  bin: Record<string, string>;
  scripts: Record<string, string>;
  peerDependencies: object;
}

const manifest: Manifest = require("../../package.json");

/** A file beside a page. */
const beside = (page: string, name: string) => path.join(root, path.dirname(page), name);

// An unknown command fails: make its block a `text` block, or teach these tests.
it("the commands are ones that are checked", () => {
  // The last two verify a download, and no release can be downloaded here.
  const known = ["npm", "npx", "pulumi", "export", "read", "sha256sum", "gh"];
  expect(calls.filter((call) => !known.includes(wordsOf(call)[0]))).toEqual([]);
  expect(lines.length).toBeGreaterThan(50);
});

it("npm runs scripts that exist, and installs these packages and their peers alone", () => {
  const isWrong = (call: (typeof calls)[number]) => {
    const [command, verb = "", ...rest] = wordsOf(call);
    if (command !== "npm" || verb === "ci" || verb === "pack") return false;

    const file = beside(call.file, "package.json");
    const local: Partial<Manifest> = existsSync(file) ? require(file) : {};
    if (verb === "install" || verb === "uninstall") {
      const packages = [manifest.name, local.name, "domain-monitoring-emulator"];
      const known = [...packages, ...Object.keys(manifest.peerDependencies), "--save-dev"];
      return rest.some((name) => !known.includes(name));
    }

    const [script = ""] = verb === "run" ? rest : [verb];
    return !Object.hasOwn({ ...manifest.scripts, ...local.scripts }, script);
  };

  expect(calls.filter(isWrong)).toEqual([]);
});

const SET = /^pulumi config set (?<options>(?:--\w+ )*)(?<key>\S+)(?: (?<value>.+))?$/;
const KEYS = [...Object.values(SETTINGS).map(({ key }) => key), LIFECYCLE_KEY];

it("settings are read by the code, and secrets as secrets that are never an argument", () => {
  const isWrong = ({ call, file }: (typeof calls)[number]) => {
    const { key, options = "", value } = SET.exec(call)?.groups ?? {};
    if (key === undefined) return false;

    const isSecret = options.includes("--secret");
    // Others can see an argument, and it stays in the shell's history.
    if (isSecret && value !== undefined) return true;
    if (key.includes(":"))
      return !KEYS.includes(key) || isSecret !== (key === SETTINGS.apiToken.key);

    const [name = ""] = options.includes("--path") ? (/\w+/.exec(key) ?? []) : [key];
    return !programsOf(file).some((code) => reads(code, name, isSecret));
  };

  expect(calls.filter(isWrong)).toEqual([]);
});

/** The programs of a page: its own blocks, and those beside an example's README. */
function programsOf(file: string): string[] {
  const shown = pageAt(file).blocks.filter(({ language }) => ["ts", "yaml"].includes(language));
  const names = file.startsWith("examples/")
    ? readdirSync(beside(file, "."), { recursive: true, encoding: "utf8" })
    : [];

  return names
    .filter((name) => /^(\w+\.(ts|js|py|go)|Pulumi\.yaml|src\/.*\.java)$/.test(name))
    .map((name) => readFileSync(beside(file, name), "utf8"))
    .concat(shown.map(({ code }) => code));
}

function reads(code: string, name: string, isSecret: boolean): boolean {
  const named = new RegExp(`(?:config|cfg)\\.(\\w+)(?:<[^(]*>)?\\("${name}"`).exec(code);
  if (named) return !isSecret || /secret/i.test(named[1] ?? "");

  // A YAML program declares the settings that it reads.
  const declared = new RegExp(`^  ${name}: \\{ type: \\w+(.*) \\}$`, "m").exec(code);
  if (declared && code.includes(`\${${name}}`))
    return !isSecret || declared[1] === ", secret: true";

  // The settings themselves refer to this secret by its name.
  return isSecret && new RegExp(`destination: ${name}$`, "m").test(code);
}

it("variables are read by the code", () => {
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  const unknown = calls.flatMap((call) => {
    const [command, ...words] = wordsOf(call);
    const file = beside(call.file, "domains.yaml");
    const named = existsSync(file) ? readFileSync(file, "utf8") : "";
    const names = command === "export" ? words.map((word) => word.split("=", 1)[0] ?? "") : [];

    return names.filter((name) => !known.includes(name) && !named.includes(name));
  });

  expect(unknown).toEqual([]);
});

it("the command is called by the package's own name: npx would get a stranger's package for another", () => {
  expect(manifest.bin[manifest.name ?? ""]).toBe("./dist/cli/main.js");

  const files = ["docs", "examples", "src", "scripts"].flatMap((directory) =>
    readdirSync(path.join(root, directory), { recursive: true, encoding: "utf8" }).map((file) =>
      path.join(directory, file),
    ),
  );

  const texts = [...files, "README.md"]
    .filter((file) => !file.includes("node_modules") && statSync(path.join(root, file)).isFile())
    .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));

  const found = (pattern: RegExp) =>
    texts.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(([call]) => `${call} in ${file}`),
    );

  const short = /(?:npx (?:-\S+ )*|(?<![-\w./]))domain-monitoring (?:channels|doctor|report)\b/g;
  expect(found(short)).toEqual([]);
  expect(found(/npx [^\n]*pulumi-domain-monitoring /g).length).toBeGreaterThan(40);

  // A pipeline has the command from its lockfile, or fails.
  const fetched = found(/npx (?!--no-install )\S+/g);
  expect(fetched.filter((call) => call.includes(path.join("examples", "gitops")))).toEqual([]);
});
