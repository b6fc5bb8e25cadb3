/** `domain-monitoring doctor`: finds what prevents a program from deploying here, each with its fix. */
import { Command } from "commander";
import type { Check } from "./doctor/check";
import { baseUrlOption, environmentHelp, parseDomain } from "./options";
import { EXIT_FAILURE, EXIT_VERDICT, print, withExitCode } from "./process";
import { isName } from "./selection";
import { pad } from "./text";

interface DoctorArguments {
  domain?: string;
  baseUrl?: string;
}

/** The subcommand. The checks are loaded when it runs. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description("check settings, service, token, engine and packages, each with its fix")
    .option(
      "--domain <domain>",
      "id or name of a domain to look up (default: a made-up id); a name has a dot",
      parseDomain,
    )
    .addOption(baseUrlOption())
    .addHelpText(
      "after",
      `
Run it in the directory of a Pulumi project. It takes the settings that a program there would find, through the pulumi
command if the stack has them, and shows only the source and length of the token. Exit codes:
  0  all is well
  2  there is something to fix (takes precedence over 1, as what is unclear is often a consequence)
  1  anything else: nothing to fix was found but something is unclear, or the arguments are not valid
${environmentHelp(30)}`,
    )
    .action(withExitCode(run));
}

async function run({ domain, baseUrl }: DoctorArguments): Promise<number> {
  const { checkNode, ownManifest }: typeof import("./doctor/node") = require("./doctor/node");
  const { checkDomainList }: typeof import("./doctor/domain-list") = require("./doctor/domain-list");
  const { checkEngine, checkStackConfig }: typeof import("./doctor/engine") = require("./doctor/engine");
  const {
    checkChannels,
    checkLifecycle,
  }: typeof import("./doctor/lifecycle") = require("./doctor/lifecycle");
  const { checkPlugin }: typeof import("./doctor/plugin") = require("./doctor/plugin");
  const { checkPackages }: typeof import("./doctor/packages") = require("./doctor/packages");
  const { checkSettings }: typeof import("./doctor/settings") = require("./doctor/settings");
  const { checkService }: typeof import("./doctor/service") = require("./doctor/service");
  const directory = process.cwd();
  const manifest = ownManifest();
  const engine = await checkEngine(directory);
  const plugin = await checkPlugin(directory, manifest, process.env);
  const stack = await checkStackConfig(directory);
  const settings = checkSettings({ baseUrl, stackConfig: stack.config, environment: process.env });
  const lifecycle = checkLifecycle(stack.config);
  const { configuration } = settings;
  const named =
    configuration && domain && isName(domain) ? await checkDomainList(configuration, domain) : undefined;
  const id = named ? named.id : domain;
  const service = await checkService(configuration, id);
  const checks = [
    checkNode(process.versions.node, manifest),
    engine,
    ...checkPackages(directory, manifest, plugin.inUse),
    ...plugin.checks,
    stack.check,
    ...settings.checks,
    lifecycle.check,
    service,
  ];
  if (service.state === "ok" && configuration) {
    checks.push((named ?? (await checkDomainList(configuration, undefined))).check);
    if (lifecycle.lifecycle === "managed") checks.push(await checkChannels(configuration, id));
  }
  print(...checks.map(line));
  return exitCodeOf(checks);
}

const WORDS = { ok: "ok", fix: "to fix", unclear: "unclear", note: "note" };

function line({ state, topic, text }: Check): string {
  return `${pad(WORDS[state], 7)}  ${pad(topic, 14)}  ${text}`;
}

/** `fix` takes precedence, as what is unclear is often a consequence. */
function exitCodeOf(checks: Check[]): number {
  if (checks.some(({ state }) => state === "fix")) return EXIT_VERDICT;
  return checks.some(({ state }) => state === "unclear") ? EXIT_FAILURE : 0;
}
