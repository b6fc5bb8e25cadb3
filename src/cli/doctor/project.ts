/** Checks what a program in this directory would find: the engine and the settings. */
import { DomainMonitoringError } from "../../client/errors";
import {
  type Configuration,
  checkSetting,
  configCommand,
  findAccount,
  findSetting,
  resolveConfiguration,
  type SettingSources,
} from "../../config";
import { DEFAULTS, SETTINGS, type SettingName } from "../../names";
import { COMMAND_ORDER, environmentSources } from "../account";
import { runPulumi, type StackConfig, settingsIn } from "../stack";

/** A diagnosis of the doctor. */
export interface Diagnosis {
  /** `fix`: something to fix. `unclear`: could not be determined. `note`: for information. */
  state: "ok" | "fix" | "unclear" | "note";

  /** For a problem, the cause first and the fix second. */
  text: string;
}

/** Diagnoses by topic, in the order shown. */
export type Diagnoses = Record<string, Diagnosis>;

export async function checkEngine(directory: string): Promise<Diagnosis> {
  const { output, missing } = await runPulumi(["version"], directory);
  if (output !== undefined) return { state: "ok", text: `pulumi ${output}` };

  const text = missing
    ? "there is no `pulumi` command on PATH: install the Pulumi CLI; the other commands and pulumi-offline work without it"
    : "`pulumi version` fails: run it to see why, and install the Pulumi CLI again";

  return { state: "fix", text };
}

const TOPICS: Partial<Record<SettingName, string>> = {
  baseUrl: "base address",
  apiToken: "API token",
};

const NAMES = Object.keys(SETTINGS) as SettingName[];

/**
 * `configuration` is for calling the service; undefined if that is not complete.
 * @param config undefined if it could not be read
 */
export function diagnoseSettings(config: StackConfig | undefined): {
  diagnoses: Diagnoses;
  configuration: Configuration | undefined;
} {
  const sources = { ...environmentSources(), stackConfig: settingsIn(config) };
  const diagnoses: Record<string, Diagnosis> = {};

  for (const name of NAMES)
    diagnoses[TOPICS[name] ?? name] = unlessWrong(() => checkValue(name, sources, config));

  if (Object.values(diagnoses).some(({ state }) => state !== "ok"))
    return { diagnoses, configuration: undefined };

  const account = unlessWrong(() => checkPair(sources));
  const commands = unlessWrong(() => checkPair({ ...sources, order: COMMAND_ORDER }));
  const configuration = account.state === "ok" ? resolveConfiguration(sources) : undefined;

  return { diagnoses: { ...diagnoses, account, commands }, configuration };
}

/** Which token goes to which address. */
function checkPair(sources: SettingSources): Diagnosis {
  const { baseUrl, apiToken } = findAccount(sources);

  return {
    state: "ok",
    text: `the token in ${apiToken?.origin} goes to the address in ${baseUrl?.origin}`,
  };
}

function checkValue(
  name: SettingName,
  sources: SettingSources,
  config: StackConfig | undefined,
): Diagnosis {
  const { key, variable } = SETTINGS[name];
  const { [name]: standard }: Partial<Record<SettingName, number>> = DEFAULTS;
  const found = findSetting(name, sources);
  if (!found) {
    if (standard !== undefined) return { state: "ok", text: `${standard}, the default` };
    const advice = `run \`${configCommand(name)}\` or set the environment variable ${variable}`;

    return { state: config ? "fix" : "unclear", text: `not set: ${advice}` };
  }

  checkSetting(name, found);
  const isSecret = name === "apiToken" || config?.get(key)?.secret;
  const value = isSecret ? `set (${found.value.length} characters)` : found.value;

  return { state: "ok", text: `${value}, from ${found.origin}` };
}

/** A diagnosis, or the error that says what to fix. */
function unlessWrong(find: () => Diagnosis): Diagnosis {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return { state: "fix", text: error.message };
  }
}
