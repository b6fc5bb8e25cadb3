/** Tools from the registry: Node, another runtime, package managers. */
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { succeed } from "../run.cjs";

const INSTALL = ["install", "--no-audit", "--no-fund", "--loglevel=error"];

/** Installs a package into the run's directory, once for all cells. @returns the package's directory */
async function tool(name, version, { tools, options }) {
  const directory = path.join(tools, `${name}@${version}`.replaceAll("/", "-"));
  const installed = path.join(directory, "node_modules", name);
  if (!existsSync(installed)) {
    mkdirSync(directory, { recursive: true });
    const args = [...INSTALL, "--prefix", directory, `${name}@${version}`];
    await succeed("npm", args, { ...options, cwd: directory });
  }
  return installed;
}

/** The directories that a cell has before those of PATH: its Node, unless that is this process's, and its other runtime. */
export async function binDirectories({ node, runtime }, context) {
  const bins = [];
  if (node !== process.versions.node.split(".")[0])
    bins.push(await tool(`node-${process.platform}-${process.arch}`, node, context));
  if (runtime === "bun") {
    const processor = process.arch === "arm64" ? "aarch64" : "x64";
    bins.push(await tool(`@oven/bun-${process.platform}-${processor}`, "latest", context));
  }
  return bins.map((directory) => path.join(directory, "bin"));
}

/** The package managers: the command with its first arguments, and those of an installation. */
export const MANAGERS = {
  npm: async () => ({ command: ["npm"], install: INSTALL }),

  async pnpm(context) {
    const directory = await tool("pnpm", "latest", context);
    // A separate store, so that the matrix does not fill the user's.
    const store = `--store-dir=${path.join(context.tools, "pnpm-store")}`;
    return { command: ["node", path.join(directory, "bin", "pnpm.mjs"), store], install: ["install"] };
  },

  async yarn(context) {
    const directory = await tool("@yarnpkg/cli-dist", "latest", context);
    // Yarn does not read npm's configuration, so the registry is passed to it.
    Object.assign(context.options.env, {
      YARN_NPM_REGISTRY_SERVER: (
        await succeed("npm", ["config", "get", "registry"], context.options)
      ).stdout.trim(),
      YARN_GLOBAL_FOLDER: path.join(context.tools, "yarn-global"),
      YARN_ENABLE_TELEMETRY: "0",
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    });
    return { command: ["node", path.join(directory, "bin", "yarn.js")], install: ["install"] };
  },
};
