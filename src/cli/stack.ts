/** The project in a directory as the engine knows it: its stack config, which only the engine can read. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { SettingSources } from "../config";
import { SETTINGS } from "../names";

/** Stack config by full key. */
export type StackConfig = Map<string, StackEntry>;

/** A value of stack config. */
export interface StackEntry {
  /** Undefined for a secret that is not read. */
  value: string | undefined;
  secret: boolean;
}

/** Reason why stack config was not read. */
export type Unread = "no project" | "no command" | "failed";

const listing = z.record(z.string(), z.object({ value: z.string().optional(), secret: z.boolean() }));

/** Reads the config of the selected stack. Of its secrets only this package's settings are read. */
export async function readStackConfig(directory: string): Promise<StackConfig | Unread> {
  if (projectFile(directory) === undefined) return "no project";
  const { output, missing } = await runPulumi(["config", "--json"], directory);
  if (missing) return "no command";
  const parsed = output === undefined ? undefined : listing.safeParse(parse(output));
  if (!parsed?.success) return "failed";
  const keys = new Set(Object.values(SETTINGS).map(({ key }) => key));
  const config: StackConfig = new Map();
  for (const [key, { value, secret }] of Object.entries(parsed.data)) {
    const read = !secret ? value : keys.has(key) ? await readSecret(key, directory) : undefined;
    config.set(key, { value: read, secret });
  }
  return config;
}

async function readSecret(key: string, directory: string): Promise<string | undefined> {
  const { output } = await runPulumi(["config", "get", key], directory);
  return output?.replace(/\r?\n$/, "");
}

/** The Pulumi.yaml of this directory or of the nearest one above it. */
export function projectFile(directory: string): string | undefined {
  const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => path.join(directory, name));
  const file = names.find((name) => existsSync(name));
  const parent = path.dirname(directory);
  return file ?? (parent === directory ? undefined : projectFile(parent));
}

/** Stack config as a source of settings; undefined if it was not read. */
export function settingsIn(config: StackConfig | undefined): SettingSources["stackConfig"] {
  return (key) => {
    const { value, secret } = config?.get(key) ?? {};
    return value === undefined ? undefined : { value, plaintext: !secret };
  };
}

/** Runs the command. Its output on failure is not shown, as it may contain secrets. */
export function runPulumi(
  args: string[],
  directory: string,
): Promise<{ output: string | undefined; missing: boolean }> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((settle) => {
    const child = execFile("pulumi", args, { cwd: directory, env, timeout: 30_000 }, (error, stdout) => {
      settle({ output: error ? undefined : stdout, missing: error?.code === "ENOENT" });
    });
    // A prompt for a passphrase must fail rather than wait.
    child.stdin?.end();
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
