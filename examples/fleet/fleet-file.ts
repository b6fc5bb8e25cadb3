/** The file with all domains. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { ChannelType } from "pulumi-domain-monitoring";
import { parse } from "yaml";

export interface Fleet {
  /** Channels by team and name. */
  teams: Record<string, Record<string, { label: string; type: ChannelType; destination: string }>>;
  domains: { name: string; id: string; team: string }[];
}

/** Reads the file in a directory: the library and the preview check what is in it. */
export function readFleet(directory: string): Fleet {
  return parse(readFileSync(path.join(directory, "domains.yaml"), "utf8"));
}
