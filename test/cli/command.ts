/** Runs the command in this process with its own environment. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { runCommand } from "../../src/cli/main";
import { environmentFor } from "../support/account";
import { temporaryDirectory } from "../support/temporary";

/** The built entry point. */
export const MAIN = path.join(__dirname, "../../dist/cli/main.js");

interface RunOptions {
  /** Environment variables besides PATH. The tests' own environment is not passed on. */
  env?: NodeJS.ProcessEnv;

  /** Standard input. @default none */
  input?: string;

  /** @default the repository */
  cwd?: string;
  onTerminal?: boolean;
}

/**
 * Runs the command in this process, which takes a tenth of the time. Runs only one at a time,
 * because all of them share the environment. At its end, every mock of the test is restored.
 */
export async function runInProcess(
  args: string[],
  { env, input = "", cwd = process.cwd(), onTerminal = false }: RunOptions = {},
) {
  const { exitCode, stdout, stderr } = process;
  const before = process.cwd();
  const terminals = [stdout.isTTY, stderr.isTTY] as const;
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    jest.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += text;
      return true;
    });

  const stdin = Readable.from([input]) as typeof process.stdin;
  jest.spyOn(process, "stdin", "get").mockReturnValue(stdin);
  jest.replaceProperty(process, "env", { PATH: process.env.PATH, ...env });
  process.chdir(cwd);
  [stdout.isTTY, stderr.isTTY] = [onTerminal, onTerminal];
  try {
    await runCommand(args);
    return { code: Number(process.exitCode), ...output };
  } finally {
    jest.restoreAllMocks();
    [stdout.isTTY, stderr.isTTY] = terminals;
    process.chdir(before);
    process.exitCode = exitCode;
  }
}

/**
 * The environment of a command that uses this service. Failed requests are not retried, so that
 * tests do not wait.
 */
export function accountOf(service: Emulator): Record<string, string> {
  return { ...environmentFor(service), DOMAIN_MONITORING_MAX_RETRIES: "0" };
}

/**
 * A `DATE` this many days from now. Tests keep a few days away from their limits, so that midnight
 * may pass.
 */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * A deployment in the format of `pulumi stack export`. Each channel has these properties in
 * addition to the common ones.
 */
export function deployment(channels: object[], stack = "prod"): string {
  const type = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";
  const resources = channels.map((channel, index) => ({
    urn: `urn:pulumi:${stack}::web::${type}::channel-${index}`,
    custom: true,
    type,
    ...channel,
  }));

  return JSON.stringify({ version: 3, deployment: { manifest: {}, resources } });
}

/** A deployment with a channel for each of these `domainId` inputs. */
export function stackExport(domainIds: unknown[]): string {
  return deployment(domainIds.map((domainId) => ({ inputs: { domainId, label: "On-call" } })));
}

/** A file outside the repository with this text. */
export function fileWith(text: string): string {
  const file = path.join(temporaryDirectory(), "file");
  writeFileSync(file, text);
  return file;
}

/** Writes a deployment to a file. */
export function stackFile(...given: Parameters<typeof deployment>): string {
  return fileWith(deployment(...given));
}

/** A secret in the format of a deployment. */
export function secretInput(content: { ciphertext: string } | { plaintext: string }): unknown {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ...content };
}
