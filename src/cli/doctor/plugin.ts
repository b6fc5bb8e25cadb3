/** Checks the provider plugin, where the project or this machine has a sign of it: where it is found, and which Node runs it. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { compareVersions } from "../../common/version";
import { projectFile } from "../stack";
import { plain } from "../text";
import { about, type Check } from "./check";
import { type Manifest, satisfies } from "./node";
import { versionOf } from "./packages";

const EXECUTABLE = "pulumi-resource-domain-monitoring";
const { ok, fix } = about("plugin");

/** The checks, and whether the project is one of the plugin. */
export interface PluginReading {
  checks: Check[];
  inUse: boolean;
}

/** The plugin as a Pulumi.yaml asks for it. */
interface Wanted {
  inUse: boolean;
  /** Directory of `plugins.providers`, as it is written. */
  location: string | undefined;
  /** Version of `packages`, which the generated SDK asks for. */
  version: string | undefined;
}

interface Found {
  place: string;
  version?: string;
}

/** Looks for the plugin as the engine does: at the path in Pulumi.yaml, on PATH, among the installed ones. */
export async function checkPlugin(
  directory: string,
  manifest: Manifest,
  environment: NodeJS.ProcessEnv,
): Promise<PluginReading> {
  const file = projectFile(directory) ?? "";
  const { inUse, location, version } = readProject(file === "" ? "" : readFileSync(file, "utf8"));
  const at = location === undefined ? undefined : path.resolve(path.dirname(file), location);
  const installed = installedPlugins(environment);
  const newest = installed
    .filter((one) => version === undefined || one.version === version)
    .sort((a, b) => compareVersions(a.version, b.version))
    .at(-1);
  const found = at === undefined ? (onPath(environment) ?? newest) : atPath(at);
  if (found) {
    const text = plain(`${found.version ?? "a version that is not said there"}, ${found.place}`, 500);
    return { inUse, checks: [ok(text), await checkItsNode(manifest, environment)] };
  }
  if (at !== undefined) return { inUse, checks: [absentAt(at)] };
  return { inUse, checks: inUse ? [notInstalled(version, installed)] : [] };
}

const NAME = "domain-monitoring";

/** The parts of a Pulumi.yaml that are looked at, as far as they are valid: the engine says what is not. */
const provider = z.object({ name: z.string(), path: z.string() }).partial();
const project = z
  .object({
    plugins: z
      .object({ providers: z.array(provider) })
      .optional()
      .catch(undefined),
    packages: z.record(z.string(), z.unknown()).optional().catch(undefined),
  })
  .catch({});

/** A resource, provider or function of the plugin in a program in YAML. */
const IN_PROGRAM =
  /"(?:type|function)":"(?:pulumi:providers:)?domain-monitoring(?![-\w])|"fn::domain-monitoring(?![-\w])/;

/** @param text JSON is YAML, too */
function readProject(text: string): Wanted {
  const content = parsed(text);
  const { plugins, packages = {} } = project.parse(content);
  const located = plugins?.providers.find(({ name }) => name === NAME)?.path;
  const declared = packages[NAME];
  return {
    inUse: located !== undefined || NAME in packages || IN_PROGRAM.test(JSON.stringify(content) ?? ""),
    location: located,
    version: typeof declared === "string" ? /@v?(\d[-+.\w]*)$/.exec(declared)?.[1] : undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    return undefined;
  }
}

/** Those in the directory where `pulumi plugin install` puts plugins. */
function installedPlugins(environment: NodeJS.ProcessEnv): Required<Found>[] {
  const plugins = path.join(environment.PULUMI_HOME || path.join(homedir(), ".pulumi"), "plugins");
  const names = existsSync(plugins) ? readdirSync(plugins) : [];
  return names.flatMap((name) => {
    const version = /^resource-domain-monitoring-v(\d[^/]*)$/.exec(name)?.[1];
    const directory = path.join(plugins, name);
    // A lock and a download that was broken off have names of this kind, too.
    return version && atPath(directory) ? { version, place: `installed at ${directory}` } : [];
  });
}

function onPath(environment: NodeJS.ProcessEnv): Found | undefined {
  const directories = (environment.PATH ?? "").split(path.delimiter).filter((name) => name !== "");
  const found = directories.map(atPath).find((one) => one !== undefined);
  return found && { ...found, place: `${found.place}, as it is on PATH` };
}

/** The plugin in a directory, with the version beside it. */
function atPath(directory: string): Found | undefined {
  const names = process.platform === "win32" ? [`${EXECUTABLE}.exe`, `${EXECUTABLE}.cmd`] : [EXECUTABLE];
  if (!names.some((name) => existsSync(path.join(directory, name)))) return undefined;
  const version = versionOf(path.join(directory, "package.json"), EXECUTABLE);
  return { place: `found at ${directory}`, version };
}

/** The engine starts the plugin with the first `node` on PATH, which need not be the one that runs this. */
async function checkItsNode(manifest: Manifest, environment: NodeJS.ProcessEnv): Promise<Check> {
  const node = about("plugin's Node");
  const needed = manifest.engines?.node ?? "";
  const version = await versionOfNode(environment);
  if (version === undefined)
    return node.fix(
      `there is no node on PATH that starts, and the plugin needs ${needed}: install Node, or correct PATH`,
    );
  if (satisfies(version, needed)) return node.ok(`${version} (needed: ${needed})`);
  return node.fix(`${version}, the node on PATH, is not ${needed}: put one that is first on PATH`);
}

function versionOfNode(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((settle) => {
    execFile("node", ["--version"], { env, timeout: 30_000 }, (error, stdout) => {
      settle(error ? undefined : /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1]);
    });
  });
}

function absentAt(directory: string): Check {
  return fix(
    `there is no ${EXECUTABLE} at ${plain(directory)}, where plugins.providers in Pulumi.yaml looks for it: correct the path, or build the plugin there`,
  );
}

function notInstalled(wanted: string | undefined, installed: Required<Found>[]): Check {
  const versions = installed.map(({ version }) => version).join(", ");
  const others = versions === "" ? "" : ` (installed: ${versions})`;
  const what = wanted === undefined ? "it is not installed" : `${wanted} is not installed`;
  return fix(
    `the project uses the plugin, and ${what}${others}: run \`pulumi plugin install resource domain-monitoring ${wanted ?? "X.Y.Z"} --file …\` with its tarball or directory`,
  );
}
