/** Node versions and package managers, each installed from the registry into the run's temporary directory. */
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { run } from "../run.cjs";

/** A requirement that this machine lacks: the cell is left out, with the reason. */
export class LeftOut extends Error {}

/** The tools of one run of the matrix; each is installed once, when the first cell needs it. */
export class Tools {
  #installed = new Map();
  #directory;

  constructor(directory) {
    this.#directory = directory;
  }

  /** Directory with the `node` of a version: this process's own if only its major number is requested. */
  async nodeBin(version, options) {
    if (version === process.versions.node.split(".")[0]) return this.#ownNode();
    const platform = process.platform === "win32" ? "win" : process.platform;
    const name = `node-${platform}-${process.arch}`;
    return path.join(await this.install(name, version, options), "node_modules", name, "bin");
  }

  /** Installs a package and returns the directory in which its `node_modules` is. */
  async install(name, version, options) {
    const key = `${name}@${version}`;
    const known = this.#installed.get(key);
    if (known) return known;
    const directory = path.join(this.#directory, key.replaceAll("/", "-"));
    mkdirSync(directory, { recursive: true });
    const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", directory, key];
    const { code, output } = await run("npm", args, { ...options, cwd: directory });
    if (code !== 0) throw new LeftOut(`${key} cannot be installed here: ${output.trim().split("\n")[0]}`);
    this.#installed.set(key, directory);
    return directory;
  }

  /** A directory with only the Node that runs this script, so that other programs next to it are not found on PATH. */
  #ownNode() {
    const directory = path.join(this.#directory, "own-node");
    if (this.#installed.has(directory)) return directory;
    mkdirSync(directory, { recursive: true });
    symlinkSync(process.execPath, path.join(directory, "node"));
    this.#installed.set(directory, directory);
    return directory;
  }
}
