/**
 * The stack of a project: its config, which only the engine can read, and its channels in an
 * exported deployment.
 */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { DomainMonitoringError } from "../client/errors";
import { canonicalId } from "../client/rules";
import { parseJson } from "../common/text";
import type { SettingSources } from "../config";
import { isChannel, parseUrn, SETTINGS } from "../names";
import { readGiven, readInput } from "./output";

/** Stack config by full key. `value` is undefined for a secret that is not read. */
export type StackConfig = Map<string, { value?: string; secret: boolean }>;

const listing = z.record(
  z.string(),
  z.object({ value: z.string().optional(), secret: z.boolean() }),
);

/**
 * The config of the selected stack, with the secrets of this package alone; undefined if it may
 * exist but was not read.
 */
export async function readStackConfig(
  directory: string,
): Promise<{ config?: StackConfig; unread?: string }> {
  if (projectFile(directory) === undefined)
    return { config: new Map(), unread: "there is no Pulumi.yaml from this directory upwards" };

  const { output, missing } = await runPulumi(["config", "--json"], directory);
  if (missing) return { unread: "this needs the `pulumi` command" };

  const parsed = listing.safeParse(parseJson(output ?? ""));
  if (!parsed.success) return { unread: "run `pulumi config` here to see why, and select a stack" };

  // Without the values of secrets.
  const config: StackConfig = new Map(Object.entries(parsed.data));
  const keys = Object.values(SETTINGS).map(({ key }) => key);

  for (const key of keys.filter((one) => config.get(one)?.secret)) {
    const { output: secret } = await runPulumi(["config", "get", key], directory);
    config.set(key, { value: secret?.replace(/\r?\n$/, ""), secret: true });
  }

  return { config };
}

/** The Pulumi.yaml of this directory or of the nearest one above it. */
function projectFile(directory: string): string | undefined {
  const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) =>
    path.join(directory, name),
  );

  const file = names.find((name) => existsSync(name));
  const parent = path.dirname(directory);

  return file ?? (parent === directory ? undefined : projectFile(parent));
}

/**
 * Stack config as a source of settings; undefined if it was not read.
 * @throws DomainMonitoringError from what is returned, for a secret that was not read: nothing else
 * may be used in its place
 */
export function settingsIn(config: StackConfig | undefined): SettingSources["stackConfig"] {
  return (key) => {
    const { value, secret = false } = config?.get(key) ?? {};
    if (value !== undefined) return { value, plaintext: !secret };
    if (!secret) return undefined;

    const problem = `stack config ${key} is a secret that could not be read`;

    throw new DomainMonitoringError(
      "configuration",
      `${problem}: run \`pulumi config get ${key}\` here to see why`,
    );
  };
}

/** Runs the command. Its output on failure is not shown, because it may contain secrets. */
export function runPulumi(
  args: string[],
  directory: string,
): Promise<{ output: string | undefined; missing: boolean }> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };

  return new Promise((settle) => {
    const child = execFile(
      "pulumi",
      args,
      { cwd: directory, env, timeout: 30_000, maxBuffer: Number.POSITIVE_INFINITY },
      (error, stdout) => {
        settle({ output: error ? undefined : stdout, missing: error?.code === "ENOENT" });
      },
    );

    // A prompt for a passphrase must fail rather than wait.
    child.stdin?.end();
  });
}

export interface StackChannel {
  urn: string;

  /** Id of the channel. */
  id: string;

  /** Undefined if it is missing or secret. */
  domainId: string | undefined;

  /** `reference`: only referred to by `get`; `replaced`: still to be deleted. */
  role: "own" | "reference" | "replaced";
}

/** The domains and channels of a deployment. */
export interface StackDomains {
  /** Ids of the domains, each once, in the order of the deployment. */
  ids: string[];
  channels: StackChannel[];

  /** One line for each skipped channel, with the reason. */
  notes: string[];
}

const recordedResource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  delete: z.boolean().optional(),
  external: z.boolean().optional(),
  inputs: z.record(z.string(), z.unknown()).nullish(),
});

type RecordedResource = z.infer<typeof recordedResource>;

/** The output of `pulumi stack export`. */
const stackFile = z.object({
  deployment: z.object({ resources: z.array(recordedResource).nullish() }),
});

/** Reads a deployment from a file, or from standard input for `-`. @throws Error with one line */
export async function readStackDomains(file: string): Promise<StackDomains> {
  if (file === "-") return stackDomains(await readInput(), "standard input");
  return stackDomains(await readGiven(file, "--from-stack"), file);
}

/**
 * The deployment of the stack that is selected in this directory; undefined without a project, a
 * selected stack, or an engine that can read it.
 */
export async function readSelectedStack(directory: string): Promise<StackDomains | undefined> {
  if (projectFile(directory) === undefined) return undefined;

  const { output } = await runPulumi(["stack", "export"], directory);

  return output === undefined ? undefined : stackDomains(output, "the selected stack");
}

/** The domains in a deployment. `source` is used in messages. @throws Error with one line */
export function stackDomains(json: string, source: string): StackDomains {
  const exported = parseJson(json);
  if (exported === undefined)
    throw new Error(`${source} is not valid JSON: use the output of \`pulumi stack export\``);

  const found = stackFile.safeParse(exported);
  if (!found.success) {
    throw new Error(`${source} is not a stack export: use the output of \`pulumi stack export\``);
  }

  const ids = new Set<string>();
  const channels: StackChannel[] = [];
  const notes: string[] = [];

  for (const resource of found.data.deployment.resources ?? []) {
    if (!isChannel(resource.type)) continue;

    const channel = stackChannel(resource);

    if (channel.id) channels.push(channel);
    const { urn, domainId, role } = channel;
    if (role === "replaced") continue;

    if (domainId !== undefined) ids.add(domainId);
    else
      notes.push(
        `channel ${parseUrn(urn).name} was skipped: its domainId is missing or a secret, so pass the id with --domain`,
      );
  }

  return { ids: [...ids], channels, notes };
}

function stackChannel({
  urn,
  id = "",
  inputs,
  external,
  ...resource
}: RecordedResource): StackChannel {
  const domainId = inputs?.domainId;

  return {
    urn,
    // A reference may have the id DOMAIN_ID/CHANNEL_ID.
    id: canonicalId(id.slice(id.indexOf("/") + 1)),
    domainId: typeof domainId === "string" && domainId !== "" ? canonicalId(domainId) : undefined,
    role: roleOf(resource.delete, external),
  };
}

function roleOf(isReplaced: unknown, isExternal: unknown): StackChannel["role"] {
  if (isReplaced) return "replaced";

  return isExternal ? "reference" : "own";
}
