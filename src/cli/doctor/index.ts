/**
 * `pulumi-domain-monitoring doctor`: finds what prevents a program from deploying here, each with
 * its fix.
 */
import { Command } from "commander";
import { DomainMonitoringClient } from "../../client/client";
import { rateLimitNotice } from "../../client/options";
import { ENVIRONMENT_HELP, parseDomain } from "../options";
import { EXIT_FAILURE, EXIT_VERDICT, print, withExitCode } from "../output";
import { readStackConfig } from "../stack";
import { printable } from "../text";
import { checkAccount } from "./account";
import { checkEngine, type Diagnoses, type Diagnosis, diagnoseSettings } from "./project";

const WORDS: Record<Diagnosis["state"], string> = {
  ok: "ok",
  fix: "to fix",
  unclear: "unclear",
  note: "note",
};

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("check settings, account and engine, and print the fix for each problem")
    .option(
      "--domain <domain>",
      "id or name of a domain to look up (default: a made-up id); a name has a dot",
      parseDomain,
    )
    .addHelpText(
      "after",
      `
Run it in the directory of a Pulumi project. Like a program there, it takes settings from stack config, then from the
environment; report and channels use the environment first. It shows only the source and the length of the token.
Exit codes:
  0  all is well
  2  there is something to fix (takes precedence over 1, because what is unclear is often a consequence)
  1  something is unclear, or an argument isn't valid
${ENVIRONMENT_HELP}`,
    )
    .action(withExitCode(run));
}

async function run({ domain }: { domain?: string }): Promise<number> {
  const directory = process.cwd();
  const engine = await checkEngine(directory);
  const { config, unread } = await readStackConfig(directory);
  const { diagnoses: settings, configuration } = diagnoseSettings(config);
  const diagnoses: Diagnoses = {
    engine,
    "stack config": {
      state: "note",
      text: unread ? `not read: ${unread}` : "read from the selected stack",
    },
    ...settings,
    service: { state: "unclear", text: "not checked: this needs a base address and a token" },
  };

  if (configuration) {
    // Retries only once: doctor should report a failure rather than hide it.
    const client = new DomainMonitoringClient({
      ...configuration,
      maxRetries: 1,
      onRateLimit: rateLimitNotice((line) => process.stderr.write(`${line}\n`)),
    });

    const { pathPrefix } = configuration.account;
    Object.assign(diagnoses, await checkAccount(client, pathPrefix, domain));
    await client.close();
  }

  const shown = Object.entries(diagnoses).map(([topic, diagnosis]) => ({ ...diagnosis, topic }));

  for (const { topic, state, text } of printable(shown))
    print(`${WORDS[state].padEnd(7)}  ${topic.padEnd(14)}  ${text}`);

  if (shown.some(({ state }) => state === "fix")) return EXIT_VERDICT;

  return shown.some(({ state }) => state === "unclear") ? EXIT_FAILURE : 0;
}
