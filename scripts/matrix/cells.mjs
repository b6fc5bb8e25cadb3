/** The cells: a base cell, variations of each dimension, and the combinations that matter. */

/** Oldest SDK of the peer range, the SDK of this repository (the last for Node 20), and the latest in the registry. */
const SDK = { oldest: "3.139.0", base: "3.248.0", newest: "latest" };

/** The newest TypeScript that works with every SDK of the matrix, and the ones after it. */
const TYPESCRIPT = { base: "5.9.3", six: "^6", seven: "^7" };

const BASE = {
  manager: "npm",
  program: "commonjs",
  sdk: SDK.base,
  node: "20",
  /** The TypeScript among the project's dependencies, if any. */
  typescript: TYPESCRIPT.base,
  /** Where base address and token come from: `environment`, or the stack's own `config`. */
  settings: "environment",
  /** Message with which the preview must fail if the cell must be refused, or the installation if npm refuses it. */
  refusal: undefined,
};

const NOT_INSTALLED = "is not installed where the provider process looks for it";
const NO_SETTINGS = "the base address of the service is not set";

function cell(name, changes = {}) {
  return { ...BASE, ...changes, name };
}

export const CELLS = [
  cell("base: npm, packed tarball, CommonJS"),
  cell("settings from stack config", { settings: "config" }),

  cell("pnpm", { manager: "pnpm" }),
  cell("pnpm, oldest SDK", { manager: "pnpm", sdk: SDK.oldest }),
  cell("pnpm, newest SDK, Node 22", { manager: "pnpm", sdk: SDK.newest, node: "22" }),
  cell("pnpm, package only a dependency of a dependency", {
    manager: "pnpm-indirect",
    program: "wrapped",
    refusal: NOT_INSTALLED,
  }),
  cell("npm, package only a dependency of a dependency", { manager: "npm-indirect", program: "wrapped" }),
  cell("Yarn, nodeLinker node-modules", { manager: "yarn" }),
  cell("Yarn Plug'n'Play, by `yarn exec pulumi`", {
    manager: "yarn-pnp",
    pnpHook: true,
    refusal: "set `nodeLinker: node-modules`",
  }),
  cell("Yarn Plug'n'Play, by `pulumi` alone", {
    manager: "yarn-pnp",
    refusal: "the Pulumi SDK has not been installed",
    refusedBy: "the engine",
  }),
  cell("npm workspace, package linked", { manager: "npm-workspace" }),
  cell("npm `file:` link, installed with `--install-links`", { manager: "npm-install-links" }),
  cell("npm `file:` link to a checkout with its own copy of the SDK", { manager: "npm-link-checkout" }),
  cell("npm `file:` link to a directory without the SDK", {
    manager: "npm-link",
    refusal: "Cannot find module '@pulumi/pulumi'",
    refusedBy: "Node",
  }),

  cell("ES module", { program: "esm" }),
  cell("TypeScript by ts-node", { program: "ts-node" }),
  cell("TypeScript by ts-node, TypeScript not installed", { program: "ts-node", typescript: undefined }),
  cell("TypeScript precompiled", { program: "tsc" }),
  cell("esbuild, minified, package external", { program: "bundle-external" }),
  cell("esbuild, minified, package bundled", { program: "bundle-inline" }),
  cell("esbuild, minified, package bundled and not installed", {
    program: "bundle-inline",
    uninstall: true,
    refusal: NOT_INSTALLED,
  }),
  cell("CommonJS without TypeScript", { typescript: undefined }),

  cell("oldest SDK", { sdk: SDK.oldest }),
  cell("oldest SDK, settings from stack config", { sdk: SDK.oldest, settings: "config" }),
  cell("oldest SDK, TypeScript by ts-node", { sdk: SDK.oldest, program: "ts-node" }),
  cell("oldest SDK, Node 24", { sdk: SDK.oldest, node: "24" }),
  cell("newest SDK, Node 22", { sdk: SDK.newest, node: "22" }),
  cell("newest SDK, Node 24", { sdk: SDK.newest, node: "24" }),
  cell("newest SDK, Node 24, TypeScript by ts-node", { sdk: SDK.newest, node: "24", program: "ts-node" }),
  cell("newest SDK, Node 26", { sdk: SDK.newest, node: "26" }),

  cell("TypeScript 6 by ts-node", { program: "ts-node-node16", typescript: TYPESCRIPT.six }),
  cell("TypeScript 6 by ts-node, newest SDK, Node 26", {
    program: "ts-node-node16",
    typescript: TYPESCRIPT.six,
    sdk: SDK.newest,
    node: "26",
  }),
  cell("TypeScript 6 by ts-node, with the tsconfig of Pulumi's template", {
    program: "ts-node",
    typescript: TYPESCRIPT.six,
    refusal: "TS5107: Option 'moduleResolution=node10' is deprecated",
    refusedBy: "TypeScript",
  }),
  cell("TypeScript 7 without an override", {
    program: "ts-node",
    typescript: TYPESCRIPT.seven,
    refusal: "peerOptional typescript@",
    refusedBy: "npm",
  }),
  cell("TypeScript 7 by ts-node", {
    program: "ts-node",
    typescript: TYPESCRIPT.seven,
    overridden: true,
    refusal: "Cannot read properties of undefined (reading 'readFile')",
    refusedBy: "the SDK",
  }),
  ...["22", "24", "26"].map((node) =>
    cell(`TypeScript 7 by type stripping, Node ${node}`, {
      program: "stripped",
      typescript: TYPESCRIPT.seven,
      overridden: true,
      sdk: SDK.newest,
      node,
    }),
  ),

  cell("Node 20.18.1, the oldest of `engines`", { node: "20.18.1" }),
  cell("Node 22", { node: "22" }),
  cell("Node 24", { node: "24" }),
  cell("Node 26", { node: "26" }),
  cell("Bun's runtime", { runtime: "bun" }),

  ...["20", "22", "24", "26"].map((node) =>
    cell(`no settings, Node ${node}`, {
      node,
      program: "pending",
      refusal: NO_SETTINGS,
      settings: "missing",
    }),
  ),
  cell("no settings, TypeScript by ts-node", {
    program: "ts-node",
    refusal: NO_SETTINGS,
    settings: "missing",
  }),
];
