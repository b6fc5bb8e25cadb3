/** `pulumi-domain-monitoring doctor`: finds what prevents a program from deploying here, each with its fix. */
import { Command } from "commander";
import { DomainMonitoringClient } from "../../client/client";
import { environmentHelp, parseDomain } from "../options";
import { EXIT_FAILURE, EXIT_VERDICT, print, withExitCode } from "../output";
import { readStackConfig, runPulumi, type Unread } from "../stack";
import { pad, plain } from "../text";
import { checkAccount } from "./account";
import { checkLifecycle, checkSettings } from "./settings";

const WORDS = { ok: "ok", fix: "to fix", unclear: "unclear", note: "note" };

/** What a check has found. */
export interface Finding {
  /** `unclear`: could not be determined. `note`: for information. */
  state: keyof typeof WORDS;
  /** For a problem, the cause first and the fix second. */
  text: string;
}

/** Result of one check. */
export interface Check extends Finding {
  /** Subject of the check, in a word or two. */
  topic: string;
}

/** The subcommand. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description("check settings, account, engine and plugin, each with its fix")
    .option(
      "--domain <domain>",
      "id or name of a domain to look up (default: a made-up id); a name has a dot",
      parseDomain,
    )
    .option("--base-url <url>", "base address of the service (default: what a program here would use)")
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

async function run({ domain, baseUrl }: { domain?: string; baseUrl?: string }): Promise<number> {
  const directory = process.cwd();
  const engine = await checkEngine(directory);
  const read = await readStackConfig(directory);
  const isRead = typeof read !== "string";
  const config = read === "no project" ? new Map() : isRead ? read : undefined;
  const settings = checkSettings(baseUrl, config);
  const { isManaged, ...lifecycle } = checkLifecycle(config);
  // Only here is YAML needed.
  const { checkPlugin }: typeof import("./plugin") = require("./plugin");
  const checks: Check[] = [
    engine,
    ...checkPlugin(directory),
    { state: "note", topic: "stack config", text: isRead ? "read from the selected stack" : UNREAD[read] },
    ...settings.checks,
    { topic: "lifecycle", ...lifecycle },
  ];
  if (settings.configuration) {
    // Retries only once: doctor should report a failure rather than hide it.
    const client = new DomainMonitoringClient({ ...settings.configuration, maxRetries: 1 });
    checks.push(...(await checkAccount(client, settings.configuration.baseUrl, domain, isManaged)));
    await client.close();
  } else {
    const text = "not checked: this needs a base address and a token";
    checks.push({ state: "unclear", topic: "service", text });
  }
  print(...checks.map(line));
  return exitCodeOf(checks);
}

async function checkEngine(directory: string): Promise<Check> {
  const topic = "engine";
  const { output, missing } = await runPulumi(["version"], directory);
  if (output !== undefined) return { state: "ok", topic, text: `pulumi ${plain(output, 40)}` };
  const text = missing
    ? "there is no `pulumi` command on PATH: install the Pulumi CLI; the other commands and pulumi-offline work without it"
    : "`pulumi version` fails: run it to see why, and install the Pulumi CLI again";
  return { state: "fix", topic, text };
}

const UNREAD: Record<Unread, string> = {
  "no project":
    "none: there is no Pulumi.yaml from this directory upwards, so only the environment was checked",
  "no command": "not read: this needs the `pulumi` command",
  failed: "not read: run `pulumi config` here to see why, and select a stack",
};

function line({ state, topic, text }: Check): string {
  return `${pad(WORDS[state], 7)}  ${pad(topic, 14)}  ${text}`;
}

/** `fix` takes precedence, as what is unclear is often a consequence. */
function exitCodeOf(checks: Check[]): number {
  if (checks.some(({ state }) => state === "fix")) return EXIT_VERDICT;
  return checks.some(({ state }) => state === "unclear") ? EXIT_FAILURE : 0;
}
