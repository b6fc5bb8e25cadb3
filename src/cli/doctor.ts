/** `domain-monitoring doctor`: finds what prevents a program from deploying here, each with its fix. */
import { Command } from "commander";
import type { DoctorArguments } from "./doctor/run";
import { BASE_URL_OPTION, environmentHelp, parseDomain } from "./options";
import { withExitCode } from "./process";

/** The subcommand. The checks are loaded when it runs. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description("check settings, service, token, engine and packages, each with its fix")
    .option(
      "--domain <domain>",
      "id or name of a domain to look up (default: a made-up id); a name has a dot",
      parseDomain,
    )
    .addOption(BASE_URL_OPTION)
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

async function run(given: DoctorArguments): Promise<number> {
  const { runDoctor }: typeof import("./doctor/run") = require("./doctor/run");
  return runDoctor(given);
}
