#!/usr/bin/env node
/** The command `pulumi-domain-monitoring`. Each subcommand has a file or a folder. */
import { Command, CommanderError } from "commander";
import { messageOf } from "../common/text";
import { HOMEPAGE, VERSION } from "../names";
import { channelsCommand } from "./channels";
import { doctorCommand } from "./doctor";
import { EXIT_FAILURE, guardOutput, printError } from "./output";
import { reportCommand } from "./report";

/** Does what the arguments say, and sets the exit code. */
export async function runCommand(args: string[]): Promise<void> {
  try {
    await rootCommand().parseAsync(args, { from: "user" });
  } catch (error) {
    // The argument parser has printed its own already: an error, a help text or the version.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_FAILURE;
    else {
      printError(messageOf(error));
      process.exitCode = EXIT_FAILURE;
    }
  }
}

const HELP = `
Example: npx pulumi-domain-monitoring report --all --minimum-days 30

Exit codes (see each command's --help for details):
  0  all is well
  2  a domain breaks a rule, or there is something to fix
  1  something couldn't be checked, or an argument or setting isn't valid

Documentation: ${HOMEPAGE}/tree/main/docs`;

function rootCommand(): Command {
  const root = new Command("pulumi-domain-monitoring")
    .description("Checks the domains and notification channels of a domain monitoring service")
    .addHelpText("after", HELP)
    .version(VERSION)
    .addCommand(reportCommand())
    .addCommand(channelsCommand())
    .addCommand(doctorCommand());

  // By default Commander exits at once and may lose output.
  for (const command of [root, ...root.commands]) command.exitOverride();

  return root;
}

if (require.main === module) {
  // A process that ends early must not look like a success.
  process.exitCode = EXIT_FAILURE;
  guardOutput();
  void runCommand(process.argv.slice(2));
}
