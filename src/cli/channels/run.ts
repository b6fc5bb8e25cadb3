/** Lists channels and writes the list. Loaded late, so that other subcommands start without it. */
import { count } from "../../common/text";
import { type DomainSelection, type FormatArguments, formatOf } from "../options";
import { deliver, refuseExisting } from "../output";
import { EXIT_FAILURE } from "../process";
import { forEachDomain, readSelection } from "../selection";
import { toJson } from "../text";
import { printUndetermined } from "../undetermined";
import { listChannels } from "./collect";
import type { ChannelList } from "./model";
import { renderProgram } from "./program";
import { renderTable } from "./table";
import { summaryLine } from "./words";

/** Arguments of the command. */
export interface ChannelsArguments extends DomainSelection, FormatArguments<ChannelsFormat> {
  output?: string;
  baseUrl?: string;
}

/** The formats of a list of channels. */
type ChannelsFormat = "table" | "json" | "typescript";

/** Lists the channels and returns the exit code. @throws Error with one line if that is impossible */
export async function runChannels(given: ChannelsArguments): Promise<number> {
  const { output } = given;
  const format = formatOf(given);
  const isProgram = format === "typescript";
  if (isProgram && output !== undefined) refuseExisting(output);
  const selection = await readSelection(given);
  const recorded =
    given.fromStack === undefined ? undefined : new Set(selection.channelIds.map((id) => id.toLowerCase()));
  const domains = await forEachDomain(selection, given.baseUrl, (target, account) =>
    listChannels(target, account, recorded),
  );
  const list: ChannelList = { version: 1, domains, notes: selection.notes };
  const failed = domains.flatMap(({ id, failure }) => (failure ? [{ id, failure }] : []));
  printUndetermined(failed, output);
  const isIncomplete = isProgram && failed.length > 0;
  // The next run would refuse to replace it.
  if (isIncomplete && output !== undefined)
    throw new Error(
      `${output} was not written, as ${count(failed.length, "domain")} could not be listed: give the others by --domain, or leave --output out to see the rest`,
    );
  if (!isIncomplete || failed.length < domains.length)
    await deliver(render(list, format), {
      file: output,
      keepsExisting: isProgram,
      summary: summaryLine(list),
    });
  return failed.length > 0 ? EXIT_FAILURE : 0;
}

function render(list: ChannelList, format: ChannelsFormat): string {
  if (format === "json") return `${toJson(list)}\n`;
  return format === "typescript" ? renderProgram(list) : renderTable(list);
}
