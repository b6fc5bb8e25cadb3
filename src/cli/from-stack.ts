/** Reads the notification channels of a stack from an exported deployment: their ids and the ids of their domains. */

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { errorCode } from "../common/errors";
import { SECRET_MARKER } from "../common/markers";
import { parseUrn } from "../common/urn";
import { isChannel } from "../names";
import { plain } from "./text";

/** The domains of a deployment. */
export interface StackDomains {
  /** Each id once, in the order of the deployment. */
  ids: string[];
  /** Ids of the channels that the stack has recorded. */
  channelIds: string[];
  /** One line for each skipped channel, with the reason. */
  notes: string[];
}

const resources = z.array(
  z.object({
    urn: z.string(),
    type: z.string(),
    id: z.string().optional(),
    delete: z.boolean().optional(),
    external: z.boolean().optional(),
    inputs: z.record(z.string(), z.unknown()).nullish(),
  }),
);
const deployment = z.object({ resources: resources.nullish() });

const secret = z.object({ [SECRET_MARKER.key]: z.literal(SECRET_MARKER.value) });

/** The output of `pulumi stack export`, only its deployment, or the state file of a local backend. */
const stackFile = z.union([
  z.object({ deployment }).transform((file) => file.deployment),
  z.object({ checkpoint: z.object({ latest: deployment }) }).transform((file) => file.checkpoint.latest),
  z.object({ resources: resources.nullable() }),
]);

/** Reads a deployment from a file, or from standard input for `-`. @throws Error with one line */
export async function readStackDomains(file: string): Promise<StackDomains> {
  return stackDomains(await content(file), file === "-" ? "standard input" : file);
}

/** The domains in a deployment. `source` is used in messages. @throws Error with one line */
export function stackDomains(json: string, source: string): StackDomains {
  const found = stackFile.safeParse(parse(json, source));
  if (!found.success) {
    throw new Error(`${source} is not a stack export: use the output of \`pulumi stack export\``);
  }
  const ids = new Set<string>();
  const channelIds: string[] = [];
  const notes: string[] = [];
  for (const resource of found.data.resources ?? []) {
    if (!isChannel(resource.type)) continue;
    // One that the program only refers to by `get` is not the stack's.
    if (resource.id && !resource.external) channelIds.push(resource.id);
    // Skip replaced channels that are still to be deleted.
    if (resource.delete) continue;
    const domainId = resource.inputs?.domainId;
    if (typeof domainId === "string" && domainId !== "") ids.add(domainId);
    else notes.push(`channel ${plain(parseUrn(resource.urn).name)} was skipped: ${reason(domainId)}`);
  }
  return { ids: [...ids], channelIds, notes };
}

/** A secret is not printed, even if the export has it in clear. */
function reason(domainId: unknown): string {
  return secret.safeParse(domainId).success
    ? "its domainId is a secret, so give the id by --domain"
    : "it has no domainId, so give the id by --domain";
}

async function content(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`${file} could not be read (${code}): check the path given to --from-stack`);
  }
}

function parse(json: string, source: string): unknown {
  try {
    // Windows shells prepend a byte order mark to redirected output.
    return JSON.parse(json.replace(/^\ufeff/, ""));
  } catch {
    throw new Error(`${source} is not valid JSON: use the output of \`pulumi stack export\``);
  }
}
