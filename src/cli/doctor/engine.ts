/** The engine on this machine, and the stack config, which only the engine can read. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { plain } from "../text";
import type { Check } from "./check";

/** Stack config, without the values of secrets. */
export type StackConfig = Map<string, { value: string | undefined; secret: boolean }>;

/** What is known of the engine. */
export interface Engine {
  check: Check;
  found: boolean;
}

/** What is known of the selected stack's config. */
export interface StackConfigReading {
  check: Check;
  /** Undefined if it could not be read. */
  config: StackConfig | undefined;
}

/** Finds the engine on PATH. */
export async function checkEngine(directory: string): Promise<Engine> {
  const topic = "engine";
  const version = await pulumi(["version"], directory);
  if (version.output !== undefined) {
    return { found: true, check: { state: "ok", topic, text: `pulumi ${plain(version.output, 40)}` } };
  }
  if (version.missing) {
    const text =
      "there is no `pulumi` command on PATH: install the Pulumi CLI; the commands here and TestStack work without it";
    return { found: false, check: { state: "fix", topic, text } };
  }
  const text = "`pulumi version` fails: run it to see why, and install the Pulumi CLI again";
  return { found: false, check: { state: "fix", topic, text } };
}

const listing = z.record(z.string(), z.object({ value: z.string().optional(), secret: z.boolean() }));

/** Reads the config of the selected stack, without secrets. */
export async function readStackConfig(directory: string, engine: Engine): Promise<StackConfigReading> {
  const topic = "stack config";
  const unread = (text: string): StackConfigReading => ({
    check: { state: "note", topic, text },
    config: undefined,
  });
  if (projectFile(directory) === undefined) {
    return {
      check: {
        state: "note",
        topic,
        text: "none: there is no Pulumi.yaml from this directory upwards, so only the environment was checked",
      },
      config: new Map(),
    };
  }
  if (!engine.found) return unread("not read: this needs the `pulumi` command");
  const { output } = await pulumi(["config", "--json"], directory);
  const parsed = output === undefined ? undefined : listing.safeParse(parse(output));
  if (!parsed?.success) return unread("not read: run `pulumi config` here to see why, and select a stack");
  const config: StackConfig = new Map(
    Object.entries(parsed.data).map(([key, { value, secret }]) => [
      key,
      { value: secret ? undefined : value, secret },
    ]),
  );
  return {
    check: { state: "note", topic, text: "read from the selected stack, except its secrets" },
    config,
  };
}

/** The Pulumi.yaml of this directory or of the nearest one above it. */
export function projectFile(directory: string): string | undefined {
  const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => path.join(directory, name));
  const file = names.find((name) => existsSync(name));
  const parent = path.dirname(directory);
  return file ?? (parent === directory ? undefined : projectFile(parent));
}

/** Runs the command. Its output on failure is not shown, as it may contain secrets. */
function pulumi(
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
