/** Determines the domains of a command line. */
import type { StackDomains } from "./from-stack";
import type { DomainSelection } from "./options";

/** The given ids, then those of the stack. @throws Error with one line if there are none */
export async function selectDomains({ domain = [], fromStack }: DomainSelection): Promise<StackDomains> {
  if (fromStack === undefined) return requireSome({ ids: domain, channelIds: [], notes: [] });
  const { readStackDomains }: typeof import("./from-stack") = require("./from-stack");
  const { ids, ...rest } = await readStackDomains(fromStack);
  return requireSome({ ids: [...new Set([...domain, ...ids])], ...rest });
}

function requireSome(selection: StackDomains): StackDomains {
  if (selection.ids.length > 0) return selection;
  const why = selection.notes.length > 0 ? ` (${selection.notes.join("; ")})` : "";
  throw new Error(
    `no domain to look at${why}: give ids by --domain, or --from-stack with a stack that has notification channels`,
  );
}
