/**
 * Runs one cell of the matrix in .github/workflows/matrix.yml: a project outside the repository
 * that installs the packed package with a package manager, and is previewed, deployed, deployed
 * again, refreshed and destroyed against the local service. With `--refused TEXT`, the preview must
 * fail with that text instead, and create nothing.
 *
 *     npm run release -- cell --manager pnpm --program esm --sdk 3.139.0 --typescript 5.9.3
 *
 * It takes the `node` and the `pulumi` on PATH, and packages from npm's configured registry.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "domain-monitoring-emulator";
import files from "../example/files-holding.cjs";
import { packed } from "../packed.cjs";
import { cleanEnvironment, openStack } from "../real-engine.cjs";
import { succeed } from "../run.cjs";

const PACKAGE = "pulumi-domain-monitoring";
const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";
const DESTINATION = "cell-destination@example.com";

/** How long a command may take. */
const LIMIT_MS = 240_000;

/** Each operation, and how many channels the service has after it: a create-only channel stays. */
const LIFE = [
  ["preview", 0],
  ["up --yes --skip-preview", 1],
  ["up --yes --skip-preview --expect-no-changes", 1],
  ["refresh --yes --skip-preview --expect-no-changes", 1],
  ["destroy --yes --skip-preview", 1],
];

const BODY = `
const domainId = new pulumi.Config().require("domainId");
const value = process.env.CELL_DESTINATION!;
const channel = new NotificationChannel("alerts", { domainId, label: "Alerts", type: "email", value });
export const channelId = channel.channelId;
export const domain = getDomainOutput({ id: domainId }).domain;
`;
const TYPESCRIPT = `import * as pulumi from "@pulumi/pulumi";
import { getDomainOutput, NotificationChannel } from "${PACKAGE}";
${BODY}`;
const ESM = TYPESCRIPT.replace("!;", ";");
const COMMONJS = ESM.replace(
  /^import (?:\* as )?(.*) from (.*);$/gm,
  "const $1 = require($2);",
).replace(/^export const (\w+)/gm, "exports.$1");
const tsconfig = (module) =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      outDir: "bin",
      target: "es2022",
      module,
      moduleResolution: module,
    },
    files: ["index.ts"],
  });
const TYPED = { "index.ts": TYPESCRIPT, "tsconfig.json": tsconfig("node16") };
const NODE_TYPES = { "@types/node": "^20.19.0" };
const BUNDLED = { files: TYPED, dependencies: { esbuild: "^0.28.0" }, main: "bin/index.js" };
const BUNDLE =
  "esbuild index.ts --bundle --minify --platform=node --outfile=bin/index.js --external:@pulumi/pulumi";

/** Each with its files, and what Pulumi.yaml, package.json and a build command say beside that. */
const PROGRAMS = {
  commonjs: { files: { "index.js": COMMONJS } },
  esm: { files: { "index.js": ESM }, manifest: { type: "module" } },
  "ts-node": { files: TYPED, dependencies: NODE_TYPES },
  tsc: { files: TYPED, dependencies: NODE_TYPES, build: "tsc", main: "bin/index.js" },
  stripped: {
    files: { ...TYPED, "tsconfig.json": tsconfig("nodenext") },
    dependencies: NODE_TYPES,
    manifest: { type: "module" },
    runtime: "{ name: nodejs, options: { typescript: false } }",
    main: "index.ts",
  },
  "bundle-external": { ...BUNDLED, build: `${BUNDLE} --external:${PACKAGE}` },
  "bundle-inline": { ...BUNDLED, build: BUNDLE },
};

const pnpm = "npx --yes pnpm@latest";
const yarn = "npx --yes @yarnpkg/cli-dist@latest";
/** Each with its installation, how it runs a command of the project, and files that it needs. */
const MANAGERS = {
  npm: { install: "npm install --no-audit --no-fund --loglevel=error", exec: "npx --no-install" },
  pnpm: {
    install: `${pnpm} install`,
    exec: `${pnpm} exec`,
    // pnpm requires a decision on the install script of one of the SDK's dependencies; it is not
    // needed.
    files: { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
  },
  yarn: { install: `${yarn} install`, exec: `${yarn} exec`, files: yarnFiles("node-modules") },
  "yarn-pnp": { install: `${yarn} install`, exec: `${yarn} exec`, files: yarnFiles("pnp") },
};

/** With its own lockfile it is a separate project, whatever is in the directories above. */
function yarnFiles(linker) {
  return {
    "yarn.lock": "",
    ".yarnrc.yml": `nodeLinker: ${linker}\nenableImmutableInstalls: false\n`,
  };
}

const SETTINGS = ["environment", "config", "missing"];

/** What a cell is: the options with their defaults. @throws Error with one line */
export function cellOf(args) {
  const option = (fallback) => ({ type: "string", default: fallback });
  const { values } = parseArgs({
    args,
    options: {
      manager: option("npm"),
      program: option("commonjs"),
      sdk: option("3.248.0"),
      typescript: option("5.9.3"),
      settings: option("environment"),
      refused: { type: "string" },
    },
  });
  const known = {
    manager: Object.keys(MANAGERS),
    program: Object.keys(PROGRAMS),
    settings: SETTINGS,
  };
  for (const [name, choices] of Object.entries(known))
    if (!choices.includes(values[name]))
      throw new Error(`--${name} is one of ${choices.join(", ")}`);
  return values;
}

/**
 * Runs a cell in an empty directory. @throws Error that says why it does not hold
 * @param spec what is installed: a file or a version
 */
export async function runCell(
  { manager, program, sdk, typescript, settings, refused },
  { directory, spec, env },
) {
  const project = path.join(directory, "project");
  fs.mkdirSync(project);
  const { install, exec, files: ofManager } = MANAGERS[manager];
  const {
    files: ofProgram,
    dependencies,
    manifest,
    runtime = "nodejs",
    main,
    build,
  } = PROGRAMS[program];
  const versions = { "@pulumi/pulumi": sdk, typescript, [PACKAGE]: spec, ...dependencies };
  const written = {
    ...ofManager,
    ...ofProgram,
    "Pulumi.yaml": `name: cell\nruntime: ${runtime}\n${main ? `main: ${main}\n` : ""}`,
    "package.json": JSON.stringify({
      name: "cell",
      private: true,
      ...manifest,
      dependencies: versions,
    }),
  };
  for (const [name, text] of Object.entries(written))
    fs.writeFileSync(path.join(project, name), text);
  const options = { cwd: project, env, timeout: LIMIT_MS };
  const shell = (line) => succeed("sh", ["-c", line], options);
  await shell(install);
  if (build) await shell(`${exec} ${build}`);

  const service = await startEmulator();
  try {
    const connection =
      settings === "environment"
        ? { DOMAIN_MONITORING_BASE_URL: service.url, DOMAIN_MONITORING_API_TOKEN: service.token }
        : {};
    const inConfig = settings === "config";
    const pulumi = await openStack({
      project,
      directory,
      stack: "cell",
      timeout: LIMIT_MS,
      env: { ...env, ...connection, CELL_DESTINATION: DESTINATION },
      config: {
        "cell:domainId": DOMAIN_ID,
        ...(inConfig && { "domain-monitoring:baseUrl": service.url }),
      },
      secrets: inConfig ? { "domain-monitoring:apiToken": service.token } : {},
    });
    const shown =
      refused === undefined
        ? await live(pulumi, service)
        : await beRefused(refused, pulumi, service);
    const secrets = [service.token, DESTINATION];
    const forms = [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString("base64"))];
    const places = ["state", "home"].flatMap((name) =>
      files.filesHolding(path.join(directory, name), forms),
    );
    if (places.length > 0 || forms.some((form) => shown.includes(form)))
      throw new Error(
        `a secret is in plain text in the output or in the state ${places.join(", ")}`,
      );
  } finally {
    await service.close();
  }
}

async function live(pulumi, service) {
  let shown = "";
  for (const [operation, channels] of LIFE) {
    shown += (await pulumi(operation.split(" "))).output;
    const count = service.channels().length;
    if (count !== channels) throw new Error(`after ${operation} the service has ${count} channels`);
  }
  return shown;
}

async function beRefused(refused, pulumi, service) {
  const { code, output } = await pulumi(["preview"], { mayFail: true });
  if (code === 0) throw new Error("the preview was to be refused, but passed");
  if (!output.includes(refused))
    throw new Error(`the preview was refused for another reason:\n${output}`);
  if (service.channels().length > 0) throw new Error("a refused preview created a channel");
  return output;
}

async function main() {
  const cell = cellOf(process.argv.slice(2));
  // The engine compares directories, and on macOS the temporary directory is a symbolic link.
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "domain-monitoring-cell-")));
  try {
    await runCell(cell, { directory, spec: `file:${packed().tarball}`, env: cleanEnvironment() });
    process.stdout.write(
      `${cell.refused === undefined ? "works" : "refused"}: ${JSON.stringify(cell)}\n`,
    );
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.url === `file://${process.argv[1]}`)
  main().catch((error) => {
    process.stderr.write(`cell: ${error.message}\n`);
    process.exitCode = 1;
  });
