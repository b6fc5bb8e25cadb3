/** Creates a cell's project and installs its dependencies with the cell's package manager. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { succeed } from "../run.cjs";
import { PROGRAMS, pulumiYaml } from "./programs.mjs";
import { MANAGERS } from "./tools.mjs";

const PACKAGE = "pulumi-domain-monitoring";

/**
 * Creates the project.
 * @returns its directory, the environment that it needs, and the versions that it has, as text
 */
export async function makeProject(cell, context) {
  const program = PROGRAMS[cell.program];
  const layout = await LAYOUTS[cell.manager](cell, program, context);
  const { project, root = project, options = [] } = layout;
  const { command, install } = await MANAGERS[layout.manager](context);
  const manage = (...args) =>
    succeed(command[0], [...command.slice(1), ...args], { ...context.options, cwd: root });
  await manage(...install, ...options);
  await layout.afterInstall?.();
  if (program.build) await build(program.build, project, context);
  if (cell.uninstall) await manage("uninstall", PACKAGE);
  const version = (await manage("--version")).stdout.trim();
  const sdk = installedVersion(project, "@pulumi/pulumi") ?? cell.sdk;
  return {
    project,
    facts: [`SDK ${sdk}`, `${layout.manager} ${version}`, ...newerTypeScript(cell, project)].join(", "),
    // The variables that Yarn sets for the commands that it runs.
    env: cell.pnpHook ? { NODE_OPTIONS: `--require ${path.join(project, ".pnp.cjs")}` } : {},
  };
}

/** Where the project is and how the package is installed into it. */
const LAYOUTS = {
  npm: (cell, program, context) => single("npm", cell, program, context),
  pnpm,
  yarn: (cell, program, context) => yarn("node-modules", cell, program, context),
  "yarn-pnp": (cell, program, context) => yarn("pnp", cell, program, context),
  "npm-indirect": (cell, program, context) => indirect("npm", cell, program, context),
  "pnpm-indirect": (cell, program, context) => indirect("pnpm", cell, program, context),

  async "npm-workspace"(cell, program, context) {
    await unpack(path.join(context.directory, "packages", PACKAGE), context);
    writeJson(context.directory, "package.json", { private: true, workspaces: ["packages/*"] });
    const project = path.join(context.directory, "packages", "program");
    const packageVersion = readJson(path.join(context.directory, "packages", PACKAGE)).version;
    writeProgram(project, cell, program, { [PACKAGE]: packageVersion });
    return { project, root: context.directory, manager: "npm" };
  },

  "npm-link": (cell, program, context) => linked([], cell, program, context),
  "npm-install-links": (cell, program, context) => linked(["--install-links"], cell, program, context),

  /** Like a checkout of the package: its own dependencies and its own copy of the SDK. */
  async "npm-link-checkout"(cell, program, context) {
    const layout = await linked([], cell, program, context);
    const cwd = path.join(context.directory, PACKAGE);
    const manifest = readJson(cwd);
    writeJson(cwd, "package.json", { ...manifest, devDependencies: { "@pulumi/pulumi": cell.sdk } });
    // After the project's own installation, which would remove it again.
    const { install } = await MANAGERS.npm();
    const afterInstall = () => succeed("npm", install, { ...context.options, cwd });
    return { ...layout, afterInstall };
  },
};

function single(manager, cell, program, { directory, tarball }) {
  const project = path.join(directory, "project");
  writeProgram(project, cell, program, { [PACKAGE]: `file:${tarball}` });
  return { project, manager };
}

function yarn(nodeLinker, cell, program, context) {
  const layout = single("yarn", cell, program, context);
  // With its own lockfile it is a separate project, whatever is in the directories above.
  writeFileSync(path.join(layout.project, "yarn.lock"), "");
  writeFileSync(path.join(layout.project, ".yarnrc.yml"), `nodeLinker: ${nodeLinker}\n`);
  return layout;
}

async function linked(options, cell, program, context) {
  await unpack(path.join(context.directory, PACKAGE), context);
  const project = path.join(context.directory, "project");
  writeProgram(project, cell, program, { [PACKAGE]: `file:../${PACKAGE}` });
  return { project, manager: "npm", options };
}

function pnpm(cell, program, context) {
  const layout = single("pnpm", cell, program, context);
  settlePnpmBuilds(layout.project);
  return layout;
}

/** pnpm requires a decision on the install script of one of the SDK's dependencies; it is not needed. */
function settlePnpmBuilds(project) {
  writeFileSync(path.join(project, "pnpm-workspace.yaml"), "allowBuilds:\n  protobufjs: false\n");
}

/** A team's own package that depends on this one. */
async function indirect(manager, cell, program, context) {
  const { directory, tarball } = context;
  const between = path.join(directory, "team-alerts");
  mkdirSync(between);
  writeJson(between, "package.json", {
    name: "team-alerts",
    version: "1.0.0",
    main: "index.js",
    dependencies: { [PACKAGE]: `file:${tarball}` },
    peerDependencies: { "@pulumi/pulumi": "*" },
  });
  writeFileSync(path.join(between, "index.js"), `module.exports = require("${PACKAGE}");\n`);
  await succeed("npm", ["pack", "--silent", "--pack-destination", directory], {
    ...context.options,
    cwd: between,
  });
  const project = path.join(directory, "project");
  writeProgram(project, cell, program, { "team-alerts": "file:../team-alerts-1.0.0.tgz" });
  if (manager === "pnpm") settlePnpmBuilds(project);
  return { project, manager };
}

function writeProgram(project, cell, program, dependencies) {
  mkdirSync(project, { recursive: true });
  for (const [name, content] of Object.entries(program.files)) {
    writeFileSync(path.join(project, name), content);
  }
  writeFileSync(path.join(project, "Pulumi.yaml"), pulumiYaml(program.main, cell.runtime ?? program.runtime));
  writeJson(project, "package.json", {
    name: "cell",
    version: "0.0.0",
    private: true,
    ...program.manifest,
    dependencies: {
      "@pulumi/pulumi": cell.sdk,
      ...dependencies,
      ...(cell.typescript ? { typescript: cell.typescript } : {}),
      ...program.dependencies,
    },
    ...(cell.overridden ? { overrides: { "@pulumi/pulumi": { typescript: "$typescript" } } } : {}),
  });
}

async function unpack(directory, context) {
  mkdirSync(directory, { recursive: true });
  const args = ["-xzf", context.tarball, "--strip-components=1", "-C", directory];
  await succeed("tar", args, { ...context.options, cwd: directory });
}

async function build([tool, args], project, context) {
  await succeed(path.join(project, "node_modules", ".bin", tool), args, { ...context.options, cwd: project });
}

/** The version of a TypeScript that is not the usual one. */
function newerTypeScript({ typescript }, project) {
  return typescript?.startsWith("^") ? [`TypeScript ${installedVersion(project, "typescript")}`] : [];
}

function installedVersion(project, name) {
  try {
    return readJson(path.join(project, "node_modules", name)).version;
  } catch {
    // Plug'n'Play has no node_modules, and in a workspace the SDK is in a parent directory.
    return undefined;
  }
}

function readJson(directory) {
  return JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8"));
}

function writeJson(directory, name, content) {
  writeFileSync(path.join(directory, name), `${JSON.stringify(content, undefined, 2)}\n`);
}
