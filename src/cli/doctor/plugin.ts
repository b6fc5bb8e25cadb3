/** Checks whether the engine would find the provider plugin for a program in this directory. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { projectFile } from "../stack";
import type { Finding } from "./finding";

const PLUGIN = "domain-monitoring";
const EXECUTABLE = `pulumi-resource-${PLUGIN}`;

/** A resource, provider or function of the plugin in a program in YAML. */
const IN_PROGRAM = new RegExp(
  `"(?:(?:type|function)":"(?:pulumi:providers:)?|fn::)${PLUGIN}(?![-\\w])`,
);

/**
 * The parts of a Pulumi.yaml that matter here, as far as they are valid: the engine reports the
 * rest.
 */
const providers = z.array(z.object({ name: z.string(), path: z.string() }).partial());

const projectSchema = z
  .object({
    plugins: z.object({ providers }).catch({ providers: [] }),
    packages: z.record(z.string(), z.unknown()).catch({}),
  })
  .catch({ plugins: { providers: [] }, packages: {} });

/** How a project uses the plugin. */
interface PluginUse {
  /** The directory that `plugins.providers` names. */
  location?: string;

  /** The version that `packages` asks for. */
  version?: string;

  /**
   * Whether the project says that it uses the plugin. A program in another language than YAML does
   * not.
   */
  isDeclared: boolean;
}

interface InstalledPlugin {
  version: string;
  directory: string;
}

/** Looks for the plugin where the engine does. Undefined without any sign of it. */
export function checkPlugin(directory: string): Finding | undefined {
  const use = pluginUse(directory);
  const installed = installedPlugins();
  const found = placesOf(use, installed).find(isPluginIn);
  if (found !== undefined) return { state: "ok", text: `found at ${found}` };
  if (!use.isDeclared) return undefined;

  return {
    state: "fix",
    text: use.location ? missingAt(use.location) : notInstalled(use, installed),
  };
}

function pluginUse(directory: string): PluginUse {
  const file = projectFile(directory);
  if (file === undefined) return { isDeclared: false };

  const content = parsed(readFileSync(file, "utf8"));
  const { plugins, packages } = projectSchema.parse(content);
  const declared = plugins.providers.find(({ name }) => name === PLUGIN)?.path;
  const location = declared && path.resolve(path.dirname(file), declared);
  const [, version] = /@v?(\d[-+.\w]*)$/.exec(String(packages[PLUGIN])) ?? [];
  const isInProgram = IN_PROGRAM.test(JSON.stringify(content ?? null));
  const isDeclared = Boolean(location) || PLUGIN in packages || isInProgram;

  return { location, version, isDeclared };
}

/** The path in Pulumi.yaml alone, or else PATH and then the installed ones. */
function placesOf(
  { location, version }: PluginUse,
  installed: readonly InstalledPlugin[],
): string[] {
  if (location) return [location];

  const onPath = process.env.PATH?.split(path.delimiter).filter((entry) => entry !== "") ?? [];
  const usable = installed.filter((plugin) => version === undefined || plugin.version === version);

  return [...onPath, ...usable.map((plugin) => plugin.directory)];
}

function missingAt(location: string): string {
  const problem = `there is no ${EXECUTABLE} at ${location}, where plugins.providers in Pulumi.yaml looks for it`;
  return `${problem}: correct the path, or build the plugin there`;
}

function notInstalled({ version }: PluginUse, installed: readonly InstalledPlugin[]): string {
  const versions = installed.map((plugin) => plugin.version).join(", ");
  const others = versions === "" ? "" : ` (installed: ${versions})`;
  const command = `pulumi plugin install resource domain-monitoring ${version ?? "X.Y.Z"} --file …`;
  const problem = `the project uses the plugin, and ${version ?? "it"} is not installed${others}`;

  return `${problem}: run \`${command}\` with its tarball or directory`;
}

/** YAML, or JSON, which is YAML too; undefined if it is not valid. */
function parsed(text: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    return undefined;
  }
}

/** Those where `pulumi plugin install` puts plugins, without locks and broken downloads. */
function installedPlugins(): InstalledPlugin[] {
  const plugins = path.join(process.env.PULUMI_HOME || path.join(homedir(), ".pulumi"), "plugins");
  const prefix = `resource-${PLUGIN}-v`;
  const names = existsSync(plugins) ? readdirSync(plugins) : [];

  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ version: name.slice(prefix.length), directory: path.join(plugins, name) }))
    .filter(({ directory }) => isPluginIn(directory));
}

function isPluginIn(directory: string): boolean {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return endings.some((ending) => existsSync(path.join(directory, EXECUTABLE + ending)));
}
