/** The package managers, each with the client configuration that npm has on this machine. */
import path from "node:path";
import { run } from "../run.cjs";
import { LeftOut } from "./tools.mjs";

export const MANAGERS = {
  npm: async (context) =>
    client(context, "npm", [], ["install", "--no-audit", "--no-fund", "--loglevel=error"]),

  async pnpm(context) {
    const directory = await context.tools.install("pnpm", "latest", context);
    const script = path.join(directory, "node_modules", "pnpm", "bin", "pnpm.mjs");
    // A separate store, so that the matrix does not fill the user's.
    return client(context, "node", [script, `--store-dir=${path.join(directory, "store")}`], ["install"]);
  },

  async yarn(context) {
    const directory = await context.tools.install("@yarnpkg/cli-dist", "latest", context);
    const script = path.join(directory, "node_modules", "@yarnpkg", "cli-dist", "bin", "yarn.js");
    // Yarn does not read npm's configuration, so the registry is passed to it.
    const registry = await run("npm", ["config", "get", "registry"], { ...context, cwd: directory });
    Object.assign(context.env, {
      YARN_NPM_REGISTRY_SERVER: registry.output.trim().split("\n").at(-1),
      YARN_GLOBAL_FOLDER: path.join(directory, "global"),
      YARN_ENABLE_TELEMETRY: "0",
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    });
    return client(context, "node", [script], ["install"]);
  },
};

/** A package manager that runs on the cell's Node; if it does not, the cell is left out. */
async function client(context, command, leading, install) {
  const asked = await run(command, [...leading, "--version"], { ...context, cwd: context.directory });
  if (asked.code !== 0)
    throw new LeftOut(`its package manager does not run here: ${firstLine(asked.output)}`);
  const version = asked.output.trim().split("\n").at(-1);
  return { command, arguments: leading, install, version };
}

function firstLine(text) {
  return text.trim().split("\n")[0];
}
