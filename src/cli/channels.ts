/** `domain-monitoring channels`: the channels that exist in the service, also as a program that takes them over. */
import type { Command } from "commander";
import type { ChannelsArguments } from "./channels/run";
import { BASE_URL_OPTION, domainsCommand, formatOption, JSON_OPTION, PATIENT_HELP } from "./options";
import { withExitCode } from "./process";

/** The subcommand. */
export function channelsCommand(): Command {
  return domainsCommand("channels")
    .description(
      "list the notification channels of domains, or write a program that takes them over (experimental)",
    )
    .addOption(formatOption("list", "typescript"))
    .addOption(JSON_OPTION)
    .option("--output <file>", "write it to a file instead of standard output; a program only to a new one")
    .addOption(BASE_URL_OPTION)
    .addHelpText(
      "after",
      `
The interface does not show the list of channels, so a service may lack it. With --format typescript, the program
takes the channels over instead of creating them. No response of the service has a destination: the program reads
each one from a secret of the stack, and begins with the commands that set them. With --from-stack, channels that the
stack has recorded already are marked, and left out of the program.

Prints everything it could list, even if something is missing; an incomplete program is not written to a file. Unless
standard output is a terminal, what could not be listed is also said on standard error. Exit codes:
  0  the channels of every domain are listed
  1  anything else: those of a domain could not be listed, or the arguments or settings are not valid
${PATIENT_HELP}

Examples:
  domain-monitoring channels --domain 11111111-1111-4111-8111-111111111111
  domain-monitoring channels --domain 11111111-1111-4111-8111-111111111111 --format typescript --output index.ts
  pulumi stack export | domain-monitoring channels --all --from-stack - --format json`,
    )
    .action(withExitCode(run));
}

async function run(given: ChannelsArguments): Promise<number> {
  const { runChannels }: typeof import("./channels/run") = require("./channels/run");
  return runChannels(given);
}
