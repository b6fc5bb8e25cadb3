/** The engine on this machine, and the stack config that it reads. */

import { readStackConfig, runPulumi, type StackConfig, type Unread } from "../stack";
import { plain } from "../text";
import type { Check } from "./check";

/** The selected stack's config, as far as it is known. */
export interface StackConfigReading {
  check: Check;
  /** Undefined if it could not be read. */
  config: StackConfig | undefined;
}

/** Finds the engine on PATH. */
export async function checkEngine(directory: string): Promise<Check> {
  const topic = "engine";
  const version = await runPulumi(["version"], directory);
  if (version.output !== undefined)
    return { state: "ok", topic, text: `pulumi ${plain(version.output, 40)}` };
  const text = version.missing
    ? "there is no `pulumi` command on PATH: install the Pulumi CLI; the commands here and TestStack work without it"
    : "`pulumi version` fails: run it to see why, and install the Pulumi CLI again";
  return { state: "fix", topic, text };
}

const UNREAD: Record<Unread, string> = {
  "no project":
    "none: there is no Pulumi.yaml from this directory upwards, so only the environment was checked",
  "no command": "not read: this needs the `pulumi` command",
  failed: "not read: run `pulumi config` here to see why, and select a stack",
};

/** Reads the config of the selected stack, of its secrets only this package's settings. */
export async function checkStackConfig(directory: string): Promise<StackConfigReading> {
  const note = (text: string): Check => ({ state: "note", topic: "stack config", text });
  const found = await readStackConfig(directory);
  if (typeof found !== "string") return { check: note("read from the selected stack"), config: found };
  return { check: note(UNREAD[found]), config: found === "no project" ? new Map() : undefined };
}
