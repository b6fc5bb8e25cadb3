/** Checks whether the engine finds the provider plugin, where the project or this machine has a sign of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { projectFile } from "../stack";
import { plain } from "../text";
import type { Check } from ".";

const NAME = "domain-monitoring";
const EXECUTABLE = `pulumi-resource-${NAME}`;

/** Looks as the engine does: at the path in Pulumi.yaml, on PATH, among the installed ones. No check without any sign of it. */
export function checkPlugin(directory: string): Check[] {
  const result = (state: Check["state"], text: string): Check[] => [
    { state, topic: "plugin", text: plain(text, 500) },
  ];
  const file = projectFile(directory);
  const { inUse, location, version } = readProject(file === undefined ? "" : readFileSync(file, "utf8"));
  if (file !== undefined && location !== undefined) {
    const at = path.resolve(path.dirname(file), location);
    if (isPluginIn(at)) return result("ok", `found at ${at}`);
    const missing = `there is no ${EXECUTABLE} at ${at}, where plugins.providers in Pulumi.yaml looks for it`;
    return result("fix", `${missing}: correct the path, or build the plugin there`);
  }
  const onPath = (process.env.PATH ?? "")
    .split(path.delimiter)
    .find((name) => name !== "" && isPluginIn(name));
  if (onPath !== undefined) return result("ok", `found at ${onPath}, as it is on PATH`);
  const installed = installedVersions();
  const versions = installed.join(", ");
  if (version === undefined ? installed.length > 0 : installed.includes(version))
    return result("ok", `installed: ${version ?? versions}`);
  if (!inUse) return [];
  const problem = `the project uses the plugin, and ${version ?? "it"} is not installed`;
  const others = versions === "" ? "" : ` (installed: ${versions})`;
  const command = `pulumi plugin install resource domain-monitoring ${version ?? "X.Y.Z"} --file …`;
  return result("fix", `${problem}${others}: run \`${command}\` with its tarball or directory`);
}

/** The parts of a Pulumi.yaml that are looked at, as far as they are valid: the engine says what is not. */
const provider = z.object({ name: z.string(), path: z.string() }).partial();
const providers = z.object({ providers: z.array(provider) });
const project = z
  .object({
    plugins: providers.optional().catch(undefined),
    packages: z.record(z.string(), z.unknown()).optional().catch(undefined),
  })
  .catch({});

/** A resource, provider or function of the plugin in a program in YAML. */
const IN_PROGRAM =
  /"(?:type|function)":"(?:pulumi:providers:)?domain-monitoring(?![-\w])|"fn::domain-monitoring(?![-\w])/;

/** What a Pulumi.yaml, or JSON, which is YAML too, asks for: a directory, and the version that a generated SDK needs. */
function readProject(text: string): { inUse: boolean; location?: string; version?: string } {
  const content = parsed(text);
  const { plugins, packages = {} } = project.parse(content);
  const location = plugins?.providers.find(({ name }) => name === NAME)?.path;
  const declared = packages[NAME];
  return {
    inUse: NAME in packages || IN_PROGRAM.test(JSON.stringify(content) ?? ""),
    location,
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
function installedVersions(): string[] {
  const plugins = path.join(process.env.PULUMI_HOME || path.join(homedir(), ".pulumi"), "plugins");
  const names = existsSync(plugins) ? readdirSync(plugins) : [];
  return names.flatMap((name) => {
    const version = /^resource-domain-monitoring-v(\d[^/]*)$/.exec(name)?.[1];
    // A lock and a download that was broken off have names of this kind, too.
    return version && isPluginIn(path.join(plugins, name)) ? [version] : [];
  });
}

function isPluginIn(directory: string): boolean {
  const names = process.platform === "win32" ? [`${EXECUTABLE}.exe`, `${EXECUTABLE}.cmd`] : [EXECUTABLE];
  return names.some((name) => existsSync(path.join(directory, name)));
}
