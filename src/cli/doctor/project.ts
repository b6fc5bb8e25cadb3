/** Checks what a program in this directory would find: the engine, the provider plugin and the settings. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { DomainMonitoringError } from "../../client/errors";
import {
  type Configuration,
  checkSetting,
  configCommand,
  findAccount,
  findSetting,
  resolveConfiguration,
  resolveLifecycle,
  type SettingSources,
} from "../../config";
import { DEFAULTS, LIFECYCLE_KEY, SETTINGS, type SettingName } from "../../names";
import { COMMAND_ORDER, sourcesOf } from "../account";
import { projectFile, runPulumi, type StackConfig, settingsIn } from "../stack";
import type { Finding, Findings } from ".";

export async function checkEngine(directory: string): Promise<Finding> {
  const { output, missing } = await runPulumi(["version"], directory);
  if (output !== undefined) return { state: "ok", text: `pulumi ${output}` };
  const text = missing
    ? "there is no `pulumi` command on PATH: install the Pulumi CLI; the other commands and pulumi-offline work without it"
    : "`pulumi version` fails: run it to see why, and install the Pulumi CLI again";
  return { state: "fix", text };
}

const PLUGIN = "domain-monitoring";
const EXECUTABLE = `pulumi-resource-${PLUGIN}`;
/** A resource, provider or function of the plugin in a program in YAML. */
const IN_PROGRAM = new RegExp(`"(?:(?:type|function)":"(?:pulumi:providers:)?|fn::)${PLUGIN}(?![-\\w])`);

/** What is looked at in a Pulumi.yaml, as far as it is valid: the engine reports the rest. */
const providers = z.array(z.object({ name: z.string(), path: z.string() }).partial());
const project = z
  .object({
    plugins: z.object({ providers }).catch({ providers: [] }),
    packages: z.record(z.string(), z.unknown()).catch({}),
  })
  .catch({ plugins: { providers: [] }, packages: {} });

/** Looks as the engine does: at the path in Pulumi.yaml, or on PATH and then among the installed ones. Undefined without any sign of it. */
export function checkPlugin(directory: string): Finding | undefined {
  const file = projectFile(directory);
  const content = file === undefined ? undefined : parsed(readFileSync(file, "utf8"));
  const { plugins, packages } = project.parse(content);
  const declared = plugins.providers.find(({ name }) => name === PLUGIN)?.path;
  const location = declared && path.resolve(path.dirname(file ?? ""), declared);
  const [, version] = /@v?(\d[-+.\w]*)$/.exec(String(packages[PLUGIN])) ?? [];
  const onPath = process.env.PATH?.split(path.delimiter).filter((entry) => entry !== "") ?? [];
  const all = installed();
  const usable = all.filter((one) => version === undefined || one.version === version);
  const places = location ? [location] : [...onPath, ...usable.map((one) => one.directory)];
  const found = places.find(isPluginIn);
  if (found !== undefined) return { state: "ok", text: `found at ${found}` };
  const isNeeded = location || PLUGIN in packages || IN_PROGRAM.test(JSON.stringify(content ?? null));
  if (!isNeeded) return undefined;
  const others = all.length === 0 ? "" : ` (installed: ${all.map((one) => one.version).join(", ")})`;
  const command = `pulumi plugin install resource domain-monitoring ${version ?? "X.Y.Z"} --file …`;
  const text = location
    ? `there is no ${EXECUTABLE} at ${location}, where plugins.providers in Pulumi.yaml looks for it: correct the path, or build the plugin there`
    : `the project uses the plugin, and ${version ?? "it"} is not installed${others}: run \`${command}\` with its tarball or directory`;
  return { state: "fix", text };
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
function installed(): { version: string; directory: string }[] {
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

const TOPICS: Partial<Record<SettingName, string>> = { baseUrl: "base address", apiToken: "API token" };
const NAMES = Object.keys(SETTINGS) as SettingName[];

/**
 * `configuration` is for calling the service; undefined if that is not complete.
 * @param config undefined if it could not be read
 */
export function checkSettings(
  baseUrl: string | undefined,
  config: StackConfig | undefined,
): { findings: Findings; configuration: Configuration | undefined } {
  const sources = { ...sourcesOf(baseUrl), stackConfig: settingsIn(config) };
  const findings: Record<string, Finding> = {};
  for (const name of NAMES)
    findings[TOPICS[name] ?? name] = unlessWrong(() => checkValue(name, sources, config));
  if (Object.values(findings).some(({ state }) => state !== "ok"))
    return { findings, configuration: undefined };
  const account = unlessWrong(() => checkPair(sources));
  const commands = unlessWrong(() => checkPair({ ...sources, order: COMMAND_ORDER }));
  const configuration = account.state === "ok" ? resolveConfiguration(sources) : undefined;
  return { findings: { ...findings, account, commands }, configuration };
}

/** Which token goes to which address. */
function checkPair(sources: SettingSources): Finding {
  const { baseUrl, apiToken } = findAccount(sources);
  return { state: "ok", text: `the token in ${apiToken?.origin} goes to the address in ${baseUrl?.origin}` };
}

function checkValue(name: SettingName, sources: SettingSources, config: StackConfig | undefined): Finding {
  const { key, variable } = SETTINGS[name];
  const { [name]: standard }: Partial<Record<SettingName, number>> = DEFAULTS;
  const found = findSetting(name, sources);
  if (!found) {
    if (standard !== undefined) return { state: "ok", text: `${standard}, the default` };
    const advice = `run \`${configCommand(name)}\` or set the environment variable ${variable}`;
    return { state: config ? "fix" : "unclear", text: `not set: ${advice}` };
  }
  checkSetting(name, found);
  const isSecret = name === "apiToken" || config?.get(key)?.secret;
  const value = isSecret ? `set (${found.value.length} characters)` : found.value;
  return { state: "ok", text: `${value}, from ${found.origin}` };
}

/** With this value of the variable, Node accepts every certificate. */
export function checkCertificates(): Finding | undefined {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== "0") return undefined;
  const cause =
    "NODE_TLS_REJECT_UNAUTHORIZED is 0, so the token is sent to any server that pretends to be the service";
  const fix = "unset it, and name a certificate authority of your own in NODE_EXTRA_CA_CERTS";
  return { state: "fix", text: `${cause}: ${fix}` };
}

/** @param config undefined if it could not be read */
export function checkLifecycle(config: StackConfig | undefined): Finding {
  const entry = config?.get(LIFECYCLE_KEY);
  if (!config || entry?.secret) {
    const why = entry ? "is a secret" : "was not read";
    return { state: "note", text: `not known, as stack config ${LIFECYCLE_KEY} ${why}` };
  }
  const origin = entry?.value ? `from stack config ${LIFECYCLE_KEY}` : "the default";
  return unlessWrong(() => {
    const lifecycle = resolveLifecycle({ stackConfig: settingsIn(config) });
    return { state: "ok", text: `${lifecycle}, ${origin}` };
  });
}

/** A finding, or the error that says what to fix. */
function unlessWrong(find: () => Finding): Finding {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return { state: "fix", text: error.message };
  }
}
