/** `domain-monitoring emulator`: the local service, for trying things out. */
import { Command, InvalidArgumentError } from "commander";
import { EXIT_FAILED, print, printError, untilStopped } from "./process";

interface EmulatorArguments {
  port?: number;
  token?: string;
}

/** The subcommand. What it starts is loaded when it runs, so that other subcommands start without it. */
export function emulatorCommand(): Command {
  return new Command("emulator")
    .description("serve a local domain monitoring service on loopback until interrupted")
    .option("--port <number>", "port to listen on (default: any free one)", parsePort)
    .option("--token <text>", "bearer token to accept (default: a random one)", parseToken)
    .action(run);
}

async function run({ port, token }: EmulatorArguments): Promise<void> {
  const {
    exampleDomains,
    startEmulator,
  }: typeof import("../testing/emulator") = require("../testing/emulator");
  // Listened for before the address is printed: whoever reads it may stop the process at once.
  const stopped = untilStopped();
  const emulator = await startEmulator({ port, token }).catch((error: unknown) => {
    printError(startFailure(error, port));
    process.exitCode = EXIT_FAILED;
  });
  if (emulator === undefined) return;
  print(
    `The emulator listens on ${emulator.url}`,
    `and accepts the token ${emulator.token}`,
    "",
    `export DOMAIN_MONITORING_BASE_URL=${emulator.url}`,
    `export DOMAIN_MONITORING_API_TOKEN=${shellWord(emulator.token)}`,
    "",
    "Domains:",
    ...exampleDomains.map(({ id, domain, label }) => `  ${id}  ${domain}  ${label}`),
    "",
    `Its interface is described at ${emulator.url}/openapi.json. Stop it with Ctrl+C.`,
  );
  await stopped;
  await emulator.close();
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError("A port is a whole number from 0 to 65535.");
  return port;
}

function parseToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new InvalidArgumentError("A token is visible ASCII without spaces.");
  return text;
}

function startFailure(error: unknown, port: number | undefined): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `port ${port} is in use: choose another with --port`;
  if (code === "EACCES") return `port ${port} needs privileges: choose another with --port`;
  return error instanceof Error ? error.message : String(error);
}

/** Quoted for a POSIX shell where it has to be. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
