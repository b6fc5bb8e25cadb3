/** The command `domain-monitoring-emulator`: runs the local service until it is interrupted. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { startEmulator } from ".";
import { readFaultRule } from "./faults";
import { LIFECYCLES } from "./interface";
import { CREATE_STATUSES } from "./options";
import type { Emulator, EmulatorOptions, FaultRule } from "./types";

/**
 * The options of {@link startEmulator} that are one of the command's, by the same name, and the
 * faults.
 */
interface EmulatorArguments extends Omit<EmulatorOptions, "faults"> {
  fault?: FaultRule[];
}

/** Most domains that are printed. */
const SHOWN = 20;

const HELP = `
A fault is operation:name=value,name=value, or JSON; the package's README lists
the names:
  --fault createNotificationChannel:reset=after
  --fault getDomain:status=503,times=2,headers.Retry-After=1
  --fault '{"delayMs": 400, "times": "always"}'`;

/**
 * Does what the arguments say, and sets the exit code: 0 once it was stopped, 1 for everything
 * else.
 */
export async function runCommand(args: string[]): Promise<void> {
  // A process that ends early must not look like a success.
  process.exitCode = 1;
  process.stdout.on("error", failUnlessClosed);
  try {
    await command().parseAsync(args, { from: "user" });
    process.exitCode = 0;
  } catch (error) {
    // The argument parser has printed its own already: an error, a help text or the version.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1;
    else process.stderr.write(`error: ${messageOf(error)}\n`);
  } finally {
    process.stdout.off("error", failUnlessClosed);
  }
}

function command(): Command {
  const { version }: { version: string } = require("../package.json");

  return (
    new Command("domain-monitoring-emulator")
      .description("serve a local domain monitoring service on loopback until interrupted")
      .version(version)
      .option("--port <number>", "port to listen on (default: any free one)", wholeNumber)
      .option("--token <text>", "bearer token to accept (default: a random one)")
      .option(
        "--domains <number>",
        "how many domains there are: three examples, and others (default: 3)",
        wholeNumber,
      )
      .option("--no-list-domains", "respond with 404 to the experimental list of domains")
      .option("--seed <number>", "derive ids from this number (default: random ids)", wholeNumber)
      .option(
        "--now <time>",
        "a clock that stands still at this time (default: the system's clock)",
      )
      .option("--fault <rule>", "make requests fail; can be repeated", collectFault)
      .option("--control", "serve the control endpoint under /control")
      .option(
        "--create-status <number>",
        "status of the response to a create (default: 201)",
        createStatus,
      )
      .addOption(
        new Option("--list-order <order>", "order of lists (default: newest-first)").choices([
          "newest-first",
          "oldest-first",
        ]),
      )
      .option(
        "--rate-limit <requests/seconds>",
        "respond with 429 to more requests than this",
        parseRateLimit,
      )
      .addOption(
        new Option(
          "--lifecycle <lifecycle>",
          "managed: experimental operations to list, read, update and delete channels, and to create, update and delete domains (default: create-only)",
        ).choices(LIFECYCLES),
      )
      .addHelpText("after", HELP)
      .action(run)
      // By default Commander exits at once and may lose output.
      .exitOverride()
  );
}

async function run({ fault: faults = [], ...options }: EmulatorArguments): Promise<void> {
  const emulator = await startEmulator({ ...options, faults }).catch((error: unknown) => {
    throw new Error(startFailure(error, options.port));
  });

  // Before the address is printed, as its reader may stop the process at once.
  const stopped = untilStopped();

  process.stdout.write(`${linesOf(emulator, { ...options, faults }).join("\n")}\n`);
  await stopped;
  await emulator.close();
}

/** Resolves with the first SIGINT or SIGTERM. A second one kills the process. */
function untilStopped(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}

/** The lines to print about a service that has started with these options. */
function linesOf(emulator: Emulator, options: EmulatorOptions): string[] {
  const domains = emulator.domains();
  const { control, now, rateLimit, lifecycle, faults = [] } = options;
  const notes = [
    now !== undefined && `Its clock stands still at ${emulator.now().toISOString()}.`,
    rateLimit !== undefined &&
      `It responds with 429 to more than ${rateLimit.requests} requests in ${rateLimit.perSeconds} seconds.`,
    lifecycle === "managed" &&
      "Experimental operations are on: channels can be listed, read, updated and deleted, and domains created, updated and deleted.",
    ...faults.map((rule) => `Fault: ${JSON.stringify(rule)}`),
    control === true && `It is controlled at ${emulator.url}/control, with the same token.`,
  ];

  return [
    `The emulator listens on ${emulator.url}`,
    `and accepts the token ${emulator.token}`,
    "",
    `export DOMAIN_MONITORING_BASE_URL=${emulator.url}`,
    `export DOMAIN_MONITORING_API_TOKEN=${shellWord(emulator.token)}`,
    "",
    "Domains:",
    ...domains.slice(0, SHOWN).map(({ id, domain, label }) => `  ${id}  ${domain}  ${label}`),
    ...(domains.length > SHOWN ? [`  and ${domains.length - SHOWN} more`] : []),
    "",
    ...notes.filter((note) => note !== false),
    `Its interface is described at ${emulator.url}/openapi.json. Stop it with Ctrl+C.`,
  ];
}

/** A word without control characters, quoted for a POSIX shell if it needs that. */
function shellWord(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * If the reader of standard output is gone, as with `head`, the service stays. Any other error ends
 * it.
 */
function failUnlessClosed({ code }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") return;
  process.stderr.write(
    `error: standard output could not be written (${code ?? "unknown error"})\n`,
  );

  process.exit(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** NaN, which every option refuses, for other text. `Number` would make an empty text 0. */
function wholeNumber(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function createStatus(text: string): EmulatorOptions["createStatus"] {
  const status = CREATE_STATUSES.find((one) => String(one) === text);
  if (status === undefined)
    throw new InvalidArgumentError(`Allowed choices are ${CREATE_STATUSES.join(", ")}.`);

  return status;
}

function parseRateLimit(text: string): EmulatorOptions["rateLimit"] {
  const [, requests, perSeconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text) ?? [];
  if (requests === undefined || perSeconds === undefined)
    throw new InvalidArgumentError("Give requests and seconds, as in 60/60.");

  return { requests: Number(requests), perSeconds: Number(perSeconds) };
}

function collectFault(text: string, previous: FaultRule[] = []): FaultRule[] {
  try {
    return [...previous, readFaultRule(text)];
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

function startFailure(error: unknown, port: number | undefined): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return `port ${port} is in use: use another with --port`;
  if (code === "EACCES") return `port ${port} needs privileges: use another with --port`;

  return messageOf(error);
}
