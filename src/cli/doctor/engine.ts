/** The engine on this machine, and the stack config that it reads. */
import { readStackConfig, runPulumi, type StackConfig, type Unread } from "../stack";
import { plain } from "../text";
import { about, type Check } from "./check";

/** Finds the engine on PATH. */
export async function checkEngine(directory: string): Promise<Check> {
  const { ok, fix } = about("engine");
  const { output, missing } = await runPulumi(["version"], directory);
  if (output !== undefined) return ok(`pulumi ${plain(output, 40)}`);
  return fix(
    missing
      ? "there is no `pulumi` command on PATH: install the Pulumi CLI; the commands here and TestStack work without it"
      : "`pulumi version` fails: run it to see why, and install the Pulumi CLI again",
  );
}

const UNREAD: Record<Unread, string> = {
  "no project":
    "none: there is no Pulumi.yaml from this directory upwards, so only the environment was checked",
  "no command": "not read: this needs the `pulumi` command",
  failed: "not read: run `pulumi config` here to see why, and select a stack",
};

/**
 * Reads the config of the selected stack, of its secrets only this package's settings. `config` is undefined if it could not
 * be read.
 */
export async function checkStackConfig(
  directory: string,
): Promise<{ check: Check; config: StackConfig | undefined }> {
  const { note } = about("stack config");
  const found = await readStackConfig(directory);
  if (typeof found !== "string") return { check: note("read from the selected stack"), config: found };
  return { check: note(UNREAD[found]), config: found === "no project" ? new Map() : undefined };
}
