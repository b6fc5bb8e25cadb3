/** Compares the channels that stacks have recorded with the service's. */
import { shellWord } from "../../common/text";
import { parseUrn } from "../../names";
import { type Finding, finding } from "../../rules/finding";
import type { StackChannel } from "../stack";
import { type DomainChannels, described, type ListedChannel, whyDisabled } from "./list";

/** A finding about a channel. */
export interface ChannelFinding extends Finding {
  /** Id of the domain; null if it is not known. */
  domainId: string | null;
}

/**
 * `gone`: recorded, but not in the service; `unknown`: in the service, but in no stack; `disabled`:
 * switched off by the service; `undetermined`: on none of the listed domains, and the stack does not
 * show its own.
 */
type State = "gone" | "unknown" | "disabled" | "undetermined";

/** @param text one line with what to do */
function channelFinding(
  state: State,
  channelId: string,
  domainId: string | null,
  text: string,
): ChannelFinding {
  const verdict = state === "undetermined" ? "unknown" : "fail";

  return {
    ...finding({ kind: "channel", about: "channels", state, verdict, text, channelId }),
    domainId,
  };
}

/**
 * Compares recorded channels with the ones that could be listed. A protected channel may be
 * unknown, because no stack can take it over.
 * @param isWhole whether every domain of the account was listed
 */
export function compareRecorded(
  recorded: readonly StackChannel[],
  domains: readonly DomainChannels[],
  isWhole: boolean,
): ChannelFinding[] {
  const listed = domains.flatMap(({ id: domainId, domain, channels }) =>
    (channels ?? []).map((channel) => ({ ...channel, domainId, domain })),
  );

  const ids = new Set(listed.map(({ id }) => id));
  // A channel that is missing in a list with a failure may be unreadable.
  const names = new Map(
    domains.flatMap(({ id, domain, failure }) => (failure ? [] : [[id, domain ?? id]])),
  );

  const known = new Set(recorded.map(({ id }) => id));
  const missing = recorded.filter(({ id, role }) => role !== "replaced" && !ids.has(id));

  return [
    ...missing.flatMap((channel) => missingFindings(channel, names, isWhole)),
    ...listed.flatMap((channel) => listedFindings(channel, known.has(channel.id))),
  ];
}

function listedFindings(
  channel: ListedChannel & Pick<DomainChannels, "domain"> & { domainId: string },
  isKnown: boolean,
): ChannelFinding[] {
  const { id, domainId, domain, isProtected, isDisabled } = channel;
  const of = `channel ${described(channel)} of ${domain ?? domainId}`;
  const unknown =
    "in none of the given stacks: adopt it, delete it in the service, or pass its stack with --from-stack";

  const disabled = `disabled by the service (${whyDisabled(channel)}): correct its destination and enable it there, or replace it`;

  return [
    ...(isKnown || isProtected
      ? []
      : [channelFinding("unknown", id, domainId, `${of} is ${unknown}`)]),
    ...(isDisabled ? [channelFinding("disabled", id, domainId, `${of} is ${disabled}`)] : []),
  ];
}

function missingFindings(
  { id, urn, domainId: given, role }: StackChannel,
  names: ReadonlyMap<string, string>,
  isWhole: boolean,
): ChannelFinding[] {
  const domainId = given ?? null;
  const { name, project, stack } = parseUrn(urn);
  const what = `channel ${name} (${id}) in stack ${project}/${stack}`;
  if (domainId === null && !isWhole) {
    const text = `${what} does not show its domain, and no listed domain has it: pass its domain with --domain, or --all`;
    return [channelFinding("undetermined", id, domainId, text)];
  }

  const domain = domainId === null ? "the account" : names.get(domainId);
  if (domain === undefined) return [];

  const fix =
    role === "reference"
      ? "correct its id, or remove it from the program"
      : `create it again with \`pulumi up --replace ${shellWord(urn, "URN")}\`, or remove it from the program`;

  return [channelFinding("gone", id, domainId, `${what} is gone from ${domain}: ${fix}`)];
}
