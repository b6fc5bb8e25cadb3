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
/** A resource, provider or function of the plugin in a program in YAML. */
const IN_PROGRAM = new RegExp(`"(?:(?:type|function)":"(?:pulumi:providers:)?|fn::)${NAME}(?![-\\w])`);

/** What is looked at in a Pulumi.yaml, as far as it is valid: the engine reports the rest. */
const providers = z.object({
  providers: z.array(z.object({ name: z.string(), path: z.string() }).partial()),
});
const project = z
  .object({
    plugins: providers.optional().catch(undefined),
    packages: z.record(z.string(), z.unknown()).default({}).catch({}),
  })
  .catch({ packages: {} });

/** Looks as the engine does: at the path in Pulumi.yaml, on PATH, among the installed ones. No check without any sign of it. */
export function checkPlugin(directory: string): Check[] {
  const result = (state: Check["state"], text: string): Check[] => [
    { state, topic: "plugin", text: plain(text, 500) },
  ];
  const file = projectFile(directory);
  const content = file === undefined ? undefined : parsed(readFileSync(file, "utf8"));
  const { plugins, packages } = project.parse(content);
  const location = plugins?.providers.find(({ name }) => name === NAME)?.path;
  if (file !== undefined && location !== undefined) {
    const at = path.resolve(path.dirname(file), location);
    if (isPluginIn(at)) return result("ok", `found at ${at}`);
    const missing = `there is no ${EXECUTABLE} at ${at}, where plugins.providers in Pulumi.yaml looks for it`;
    return result("fix", `${missing}: correct the path, or build the plugin there`);
  }
  const onPath = process.env.PATH?.split(path.delimiter).find((name) => name !== "" && isPluginIn(name));
  if (onPath !== undefined) return result("ok", `found at ${onPath}, as it is on PATH`);
  const installed = installedVersions();
  const [, version] = /@v?(\d[-+.\w]*)$/.exec(String(packages[NAME])) ?? [];
  if (version === undefined ? installed.length > 0 : installed.includes(version))
    return result("ok", `installed: ${version ?? installed.join(", ")}`);
  if (!(NAME in packages) && !IN_PROGRAM.test(JSON.stringify(content ?? null))) return [];
  const others = installed.length === 0 ? "" : ` (installed: ${installed.join(", ")})`;
  const problem = `the project uses the plugin, and ${version ?? "it"} is not installed${others}`;
  const command = `pulumi plugin install resource domain-monitoring ${version ?? "X.Y.Z"} --file …`;
  return result("fix", `${problem}: run \`${command}\` with its tarball or directory`);
}

/** YAML, or JSON, which is YAML too; undefined if it is not valid. */
function parsed(text: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    return undefined;
  }
}

/** Those in the directory where `pulumi plugin install` puts plugins, without locks and broken downloads. */
function installedVersions(): string[] {
  const plugins = path.join(process.env.PULUMI_HOME || path.join(homedir(), ".pulumi"), "plugins");
  const prefix = `resource-${NAME}-v`;
  const names = existsSync(plugins) ? readdirSync(plugins) : [];
  return names
    .filter((name) => name.startsWith(prefix) && isPluginIn(path.join(plugins, name)))
    .map((name) => name.slice(prefix.length));
}

function isPluginIn(directory: string): boolean {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return endings.some((ending) => existsSync(path.join(directory, EXECUTABLE + ending)));
}
