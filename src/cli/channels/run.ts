/** Lists channels and writes the list. Loaded late, so that other subcommands start without it. */
import { count } from "../../common/text";
import { openAccount } from "../account";
import { type DomainSelection, type FormatArguments, formatOf } from "../options";
import { deliver, refuseExisting } from "../output";
import { EXIT_FAILURE } from "../process";
import { showProgress } from "../progress";
import { findTargets, readSelection } from "../selection";

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
  if (isProgram && output !== undefined) await refuseExisting(output);
  const selection = await readSelection(given);
  const { channelIds, notes } = selection;
  const recorded =
    given.fromStack === undefined ? undefined : new Set(channelIds.map((id) => id.toLowerCase()));
  const progress = showProgress();
  const account = await openAccount(given.baseUrl, progress.wait);
  try {
    const targets = await findTargets(selection, account, progress);
    progress.begin("domains", targets.length);
    const list = await listChannels(account, { targets, notes, recorded }, () => progress.step());
    progress.end();
    const failed = list.domains.flatMap(({ id, failure }) => (failure ? [{ id, failure }] : []));
    printUndetermined(failed, output);
    const isIncomplete = isProgram && failed.length > 0;
    // The next run would refuse to replace it.
    if (isIncomplete && output !== undefined)
      throw new Error(
        `${output} was not written, as ${count(failed.length, "domain")} could not be listed: give the others by --domain, or leave --output out to see the rest`,
      );
    if (!isIncomplete || failed.length < list.domains.length)
      await deliver(render(list, format), {
        file: output,
        keepsExisting: isProgram,
        summary: summaryLine(list),
      });
    return failed.length > 0 ? EXIT_FAILURE : 0;
  } finally {
    progress.end();
    await account.client.close();
  }
}

function render(list: ChannelList, format: ChannelsFormat): string {
  if (format === "json") return `${toJson(list)}\n`;
  return format === "typescript" ? renderProgram(list) : renderTable(list);
}
