"use strict";
// Projects of people who have nothing but what was published: one per language, each in an empty directory with empty caches.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { EXAMPLES, program } = require("../plugin-schema/examples.cjs");

const TYPESCRIPT = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: "ES2022",
    module: "node16",
    moduleResolution: "node16",
    skipLibCheck: true,
  },
  files: ["index.ts"],
});
const SDK = "@pulumi/pulumi@3.248.0 typescript@5.9.3 @types/node@20";
/** An input that no version has, as a later one might. */
const LATER = "cooldownMinutes";

/**
 * By name: `runtime`; `config`, settings of its own program; `files` of a version, by name; `install` of a version, a command for the shell; `later`, which adds an input of a
 * later version to a program, and `refusal`, what is said of it; `node`, whether there is one on PATH;
 * `dynamic`, whether there is no plugin.
 * @param schema of the release
 * @param readme the README, whose program is the npm package's
 */
function strangers(schema, readme) {
  const names = Object.keys(EXAMPLES);
  const { nodejs, python, go } = schema.language;
  const module = path.posix.dirname(go.importBasePath);
  const wheel = (version) => `${python.packageName}-${version}-py3-none-any.whl`;
  return {
    "npm package": {
      runtime: "nodejs",
      dynamic: true,
      node: true,
      config: { domain: "example.com" },
      files: () => ({
        "index.ts": /```ts\n(.*?)```/s.exec(readme)[1],
        "package.json": '{ "private": true }',
        "tsconfig.json": TYPESCRIPT,
      }),
      install: (version) => `npm install --silent pulumi-domain-monitoring@${version} ${SDK}`,
      file: "index.ts",
      later: (text) => text.replace("label: ", `...({ ${LATER}: 5 } as object), label: `),
      refusal: `${LATER} is not a property of a notification channel: remove it`,
    },
    YAML: {
      runtime: "yaml",
      files: (version) => ({
        // What is not listed in a registry is found by its address alone.
        program: program("yaml", names, {
          ...schema,
          options: { version, pluginDownloadURL: schema.pluginDownloadURL },
        }),
      }),
      install: () => "true",
      file: "Pulumi.yaml",
      later: (text) => text.replace('label: "On-call"', `label: "On-call"\n      ${LATER}: 5`),
      refusal: LATER,
    },
    Python: {
      runtime: "{ name: python, options: { toolchain: pip, virtualenv: venv } }",
      files: () => ({
        "__main__.py": program("python", names, schema),
        "requirements.txt": "pulumi>=3.231,<4\n",
      }),
      install: (version) =>
        `curl --silent --fail --remote-name ${schema.pluginDownloadURL}/${wheel(version)}
        [ -d venv ] || python3 -m venv venv
        venv/bin/pip install --quiet --no-cache-dir -r requirements.txt ${wheel(version)}`,
      file: "__main__.py",
      later: (text) => text.replace('label="On-call",', 'label="On-call", cooldown_minutes=5,'),
      refusal: "cooldown_minutes",
    },
    Go: {
      runtime: "go",
      files: () => ({ "main.go": program("go", names, schema), "go.mod": "module stranger\n\ngo 1.25\n" }),
      install: (version) =>
        `go get ${module}@v${version} github.com/pulumi/pulumi/sdk/v3@v3.248.0 && go mod tidy`,
      file: "main.go",
      later: (text) => text.replace("Label: ", `${LATER}: 5, Label: `),
      refusal: LATER,
    },
    TypeScript: {
      runtime: "nodejs",
      node: true,
      files: () => ({
        "index.ts": program("typescript", names, schema),
        "package.json": '{ "private": true }',
        "tsconfig.json": TYPESCRIPT,
      }),
      install: (version) => `npm install --silent ${nodejs.packageName}@${version} ${SDK}`,
      file: "index.ts",
      later: (text) => text.replace('label: "On-call",', `label: "On-call", ${LATER}: 5,`),
      refusal: LATER,
    },
  };
}

/** Writes a stranger's project. */
function writeProject(directory, { runtime, files }, version) {
  fs.mkdirSync(directory, { recursive: true });
  const { program: yaml = "", ...others } = files(version);
  fs.writeFileSync(path.join(directory, "Pulumi.yaml"), `name: stranger\nruntime: ${runtime}\n${yaml}`);
  for (const [name, text] of Object.entries(others)) fs.writeFileSync(path.join(directory, name), text);
}

/** A PATH that has these commands and no other. */
function onlyCommands(directory, names) {
  fs.mkdirSync(directory, { recursive: true });
  for (const name of names) fs.symlinkSync(located(name), path.join(directory, name));
  return directory;
}

/** Where a command really is: what is on PATH may start another by its own name. */
function located(name) {
  const [command, ...args] =
    name === "python3"
      ? [name, "-c", "import sys; print(sys.executable)"]
      : ["sh", "-c", `command -v ${name}`];
  return fs.realpathSync(execFileSync(command, args, { encoding: "utf8" }).trim());
}

module.exports = { onlyCommands, strangers, writeProject };
