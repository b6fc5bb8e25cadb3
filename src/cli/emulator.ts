/** `domain-monitoring emulator`: runs the local service. */

import { Command, InvalidArgumentError, Option } from "commander";
import { messageOf } from "../common/errors";
import type { EmulatorOptions } from "../testing";

import { print, untilStopped, withExitCode } from "./process";

interface EmulatorArguments
  extends Pick<
    EmulatorOptions,
    | "port"
    | "token"
    | "seed"
    | "now"
    | "file"
    | "control"
    | "createStatus"
    | "listOrder"
    | "rateLimit"
    | "lifecycle"
  > {
  fault?: string[];
}

const HELP = `
A fault is operation:name=value,name=value, or JSON;
docs/reference/command-emulator.md in the package's repository lists the names:
  --fault createNotificationChannel:reset=after
  --fault getDomain:status=503,times=2,headers.Retry-After=1
  --fault '{"delayMs": 400, "probability": 0.1}'`;

/** The subcommand. The emulator is loaded when it runs, so that other subcommands start without it. */
export function emulatorCommand(): Command {
  return new Command("emulator")
    .description("serve a local domain monitoring service on loopback until interrupted")
    .option("--port <number>", "port to listen on (default: any free one)", parsePort)
    .option("--token <text>", "bearer token to accept (default: a random one)", parseToken)
    .option("--seed <number>", "derive ids from this number (default: random ids)", parseSeed)
    .option("--now <time>", "a clock that stands still at this time (default: the system's clock)")
    .option(
      "--file <path>",
      "keep domains and channels in this file, destinations included (default: memory)",
    )
    .option("--fault <rule>", "make requests fail; can be repeated", collect)
    .option("--control", "serve the control endpoint under /control")
    .option("--create-status <number>", "status of the answer to a create (default: 201)", Number)
    .addOption(
      new Option("--list-order <order>", "order of lists (default: newest-first)").choices([
        "newest-first",
        "oldest-first",
      ]),
    )
    .option("--rate-limit <requests/seconds>", "answer 429 to more requests than this", parseRateLimit)
    .addOption(
      new Option(
        "--lifecycle <lifecycle>",
        "managed: list, read, change and remove channels too, which the interface does not show (default: create-only)",
      ).choices(["create-only", "managed"]),
    )
    .addHelpText("after", HELP)
    .action(withExitCode(run));
}

async function run({ fault = [], ...options }: EmulatorArguments): Promise<number> {
  const {
    startEmulator,
    readFaultRule,
  }: typeof import("../testing/emulator") = require("../testing/emulator");
  const faults = [];
  for (const text of fault) {
    try {
      faults.push(readFaultRule(text));
    } catch (error) {
      throw new Error(`option '--fault <rule>' argument '${text}' is invalid. ${messageOf(error)}`);
    }
  }
  const emulator = await startEmulator({ ...options, faults }).catch((error: unknown) => {
    throw new Error(startFailure(error, options.port));
  });
  // Before the address is printed, as its reader may stop the process at once.
  const stopped = untilStopped();
  const { file, control, now, rateLimit, lifecycle } = options;
  const notes = [
    ...(now === undefined ? [] : [`Its clock stands still at ${emulator.now().toISOString()}.`]),
    ...(file === undefined ? [] : [`Domains and channels are kept in ${file}, destinations included.`]),
    ...(rateLimit === undefined
      ? []
      : [`It answers 429 to more than ${rateLimit.requests} requests in ${rateLimit.perSeconds} seconds.`]),
    ...(lifecycle === "managed"
      ? [
          "Channels can also be listed, read, changed and removed, and domains be listed, which the interface does not show.",
        ]
      : []),
    ...faults.map((rule) => `Fault: ${JSON.stringify(rule)}`),
    ...(control ? [`It is controlled at ${emulator.url}/control, with the same token.`] : []),
  ];
  print(
    `The emulator listens on ${emulator.url}`,
    `and accepts the token ${emulator.token}`,
    "",
    `export DOMAIN_MONITORING_BASE_URL=${emulator.url}`,
    `export DOMAIN_MONITORING_API_TOKEN=${shellWord(emulator.token)}`,
    "",
    "Domains:",
    ...emulator.domains().map(({ id, domain, label }) => `  ${id}  ${domain}  ${label}`),
    "",
    ...notes,
    `Its interface is described at ${emulator.url}/openapi.json. Stop it with Ctrl+C.`,
  );
  await stopped;
  await emulator.close();
  return 0;
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

function parseSeed(text: string): number {
  const seed = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(seed)) throw new InvalidArgumentError("A seed is a whole number.");
  return seed;
}

function parseRateLimit(text: string): EmulatorOptions["rateLimit"] {
  const [, requests, perSeconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text) ?? [];
  if (requests === undefined || perSeconds === undefined)
    throw new InvalidArgumentError("Give requests and seconds, as in 60/60.");
  return { requests: Number(requests), perSeconds: Number(perSeconds) };
}

function collect(text: string, previous: string[] = []): string[] {
  return [...previous, text];
}

function startFailure(error: unknown, port: number | undefined): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `port ${port} is in use: use another with --port`;
  if (code === "EACCES") return `port ${port} needs privileges: use another with --port`;
  return optionNames(messageOf(error));
}

/** Replaces the library's option names with those of the command. */
function optionNames(message: string): string {
  return message
    .replace("`now`", "--now")
    .replace("`createStatus`", "--create-status")
    .replace('`lifecycle: "managed"`', "--lifecycle managed");
}

/** Quotes for a POSIX shell if necessary. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
