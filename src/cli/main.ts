#!/usr/bin/env node
/** The command `domain-monitoring`. Each subcommand has its own file. */
import { Command, CommanderError } from "commander";
import { packageVersion } from "../client/internal/user-agent";
import { channelsCommand } from "./channels";
import { doctorCommand } from "./doctor";
import { emulatorCommand } from "./emulator";
import { expiryCommand } from "./expiry";
import { EXIT_FAILURE, guardOutput, printError } from "./process";
import { reportCommand } from "./report";

async function main(): Promise<void> {
  // A process that ends early must not look like a success.
  process.exitCode = EXIT_FAILURE;
  guardOutput();
  const program = new Command("domain-monitoring")
    .description("Tools around a domain monitoring service and its Pulumi provider")
    .version(packageVersion())
    .addCommand(expiryCommand())
    .addCommand(reportCommand())
    .addCommand(channelsCommand())
    .addCommand(doctorCommand())
    .addCommand(emulatorCommand());

  // By default Commander exits at once and may lose output.
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_FAILURE;
  }
}

main().catch((error: unknown) => {
  printError(error instanceof Error ? error.message : String(error));
  process.exitCode = EXIT_FAILURE;
});
