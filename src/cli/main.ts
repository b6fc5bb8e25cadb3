#!/usr/bin/env node
/** The command `domain-monitoring` as a process. */
import { EXIT_FAILURE, guardOutput } from "./process";
import { runCommand } from "./run";

// A process that ends early must not look like a success.
process.exitCode = EXIT_FAILURE;
guardOutput();
void runCommand(process.argv.slice(2));
