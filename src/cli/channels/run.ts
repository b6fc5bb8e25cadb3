/** Lists channels and writes the list. Loaded late, so that other subcommands start without it. */
import { openAccount } from "../account";
import type { DomainSelection } from "../options";
import { deliver } from "../output";
import { EXIT_FAILURE, printError } from "../process";
import { showProgress } from "../progress";
import { selectDomains } from "../selection";
import { plain, toJson } from "../text";
import { listChannels } from "./collect";
import type { ChannelList } from "./model";
import { renderProgram } from "./program";
import { renderTable } from "./table";
import { summaryLine } from "./words";

/** Arguments of the command. */
export interface ChannelsArguments extends DomainSelection {
  format: "table" | "json" | "typescript";
  output?: string;
  baseUrl?: string;
}

/** Lists the channels and returns the exit code. @throws Error with one line if that is impossible */
export async function runChannels(given: ChannelsArguments): Promise<number> {
  const { format, output } = given;
  const { ids, channelIds, notes } = await selectDomains(given);
  const recorded = given.fromStack === undefined ? undefined : new Set(channelIds);
  const account = openAccount(given.baseUrl, (delayMs) => progress.wait(delayMs));
  const progress = showProgress(ids.length, "domains");
  try {
    const list = await listChannels(account, { ids, notes, recorded }, progress.step);
    progress.end();
    const failed = list.domains.filter(({ failure }) => failure !== null);
    const isProgram = format === "typescript";
    // A program usually goes to a file, where nobody would look for what is missing.
    if (isProgram)
      for (const { id, failure } of failed) printError(plain(`domain ${id}: ${failure?.message}`, 500));
    if (!isProgram || failed.length < list.domains.length)
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

function render(list: ChannelList, format: ChannelsArguments["format"]): string {
  if (format === "json") return `${toJson(list)}\n`;
  return format === "typescript" ? renderProgram(list) : renderTable(list);
}
