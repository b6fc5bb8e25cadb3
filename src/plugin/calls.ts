/** Shared by the calls about a channel and about a domain. */
import type { CallOptions } from "../client/requests";
import type { Properties, ResourceProvider } from "../provider/boundary";
import type { Connection } from "../provider/connection";
import type { Difference } from "./answers";

export interface CallContext {
  connection: Connection;

  /** URNs of what this process has imported. */
  imported: Set<string>;

  /** Shows a line. */
  warn: (line: string) => void;
  call: Pick<CallOptions, "timeoutMs">;
}

/** The engine's calls about one resource. */
export interface Calls extends Pick<ResourceProvider, "create" | "delete"> {
  check(olds: Properties, news: Properties): Promise<{ inputs: Properties; reasons: string[] }>;
  diff(id: string, olds: Properties, news: Properties): Promise<Difference>;

  /** @param recorded undefined for an import */
  read(id: string, recorded: Properties | undefined): ReturnType<ResourceProvider["read"]>;
  update(id: string, olds: Properties, news: Properties): Promise<Properties>;
}
