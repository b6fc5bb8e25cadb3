#!/usr/bin/env node
/** The command `domain-monitoring`. It only wires: each subcommand has its own file. */
import { Command, CommanderError } from "commander";
import { packageVersion } from "../client/internal/user-agent";
import { doctorCommand } from "./doctor";
import { emulatorCommand } from "./emulator";
import { expiryCommand } from "./expiry";
import { EXIT_FAILED, EXIT_USAGE, endQuietlyWithoutReader, printError } from "./process";
import { reportCommand } from "./report";

async function main(): Promise<void> {
  endQuietlyWithoutReader();
  const program = new Command("domain-monitoring")
    .description("Tools around a domain monitoring service and its Pulumi provider")
    .version(packageVersion())
    .addCommand(expiryCommand())
    .addCommand(reportCommand())
    .addCommand(doctorCommand())
    .addCommand(emulatorCommand());

  // Commander would exit with 1 where it does not understand its arguments, which here means that a check failed.
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
}

main().catch((error: unknown) => {
  printError(error instanceof Error ? error.message : String(error));
  process.exitCode = EXIT_FAILED;
});
