/** Makes the checks and prints them. Loaded late, so that other subcommands start without it. */
import { DomainMonitoringClient } from "../../client/client";
import type { Configuration } from "../../config";
import { EXIT_FAILURE, EXIT_VERDICT, print } from "../process";
import { isName } from "../selection";
import { pad } from "../text";
import { about, type Check } from "./check";
import { checkEngine, checkStackConfig } from "./engine";
import { checkLifecycle } from "./lifecycle";
import { checkNode, ownManifest } from "./node";
import { checkPackages } from "./packages";
import { checkPlugin } from "./plugin";
import { checkChannels, checkDomainList, checkName, checkService } from "./service";
import { checkSettings } from "./settings";

/** Arguments of the command. */
export interface DoctorArguments {
  domain?: string;
  baseUrl?: string;
}

/** Makes the checks and returns the exit code. */
export async function runDoctor({ domain, baseUrl }: DoctorArguments): Promise<number> {
  const directory = process.cwd();
  const manifest = ownManifest();
  const engine = await checkEngine(directory);
  const plugin = await checkPlugin(directory, manifest, process.env);
  const stack = await checkStackConfig(directory);
  const settings = checkSettings({ baseUrl, stackConfig: stack.config, environment: process.env });
  const { check, lifecycle } = checkLifecycle(stack.config);
  const checks = [
    checkNode(process.versions.node, manifest),
    engine,
    ...checkPackages(directory, manifest, plugin.inUse),
    ...plugin.checks,
    stack.check,
    ...settings.checks,
    check,
    ...(await serviceChecks(settings.configuration, domain, lifecycle === "managed")),
  ];
  print(...checks.map(line));
  return exitCodeOf(checks);
}

/** Retries only once: doctor should report a failure rather than hide it. */
async function serviceChecks(
  configuration: Configuration | undefined,
  domain: string | undefined,
  isManaged: boolean,
): Promise<Check[]> {
  if (!configuration) return [about("service").unclear("not checked: this needs a base address and a token")];
  const client = new DomainMonitoringClient({ ...configuration, maxRetries: 1 });
  try {
    const named = domain && isName(domain) ? await checkName(client, domain) : undefined;
    const id = named ? named.id : domain;
    const service = await checkService(client, id);
    if (service.state !== "ok") return [service];
    const list = named?.check ?? (await checkDomainList(client));
    return [service, list, ...(isManaged ? [await checkChannels(client, id)] : [])];
  } finally {
    await client.close();
  }
}

const WORDS = { ok: "ok", fix: "to fix", unclear: "unclear", note: "note" };

function line({ state, topic, text }: Check): string {
  return `${pad(WORDS[state], 7)}  ${pad(topic, 14)}  ${text}`;
}

/** `fix` takes precedence, as what is unclear is often a consequence. */
function exitCodeOf(checks: Check[]): number {
  if (checks.some(({ state }) => state === "fix")) return EXIT_VERDICT;
  return checks.some(({ state }) => state === "unclear") ? EXIT_FAILURE : 0;
}
