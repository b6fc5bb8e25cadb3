/** `pulumi-domain-monitoring channels`: the channels that exist in the service, also as a program that takes them over. */
import type { Command } from "commander";
import { count } from "../../common/text";
import {
  BASE_URL_OPTION,
  type DomainSelection,
  domainsCommand,
  type FormatArguments,
  formatOf,
  formatOption,
  JSON_OPTION,
  PATIENT_HELP,
} from "../options";
import { deliver, EXIT_FAILURE, printUndetermined, refuseExisting, withExitCode } from "../output";
import { forEachDomain, readSelection } from "../selection";
import { toJson } from "../text";
import { type ChannelList, listChannels } from "./list";
import { renderProgram } from "./program";
import { renderTable, summaryLine } from "./table";

/** The subcommand. */
export function channelsCommand(): Command {
  return domainsCommand("channels")
    .description(
      "list the notification channels of domains, or write a program that takes them over (experimental)",
    )
    .addOption(formatOption("list", "typescript"))
    .addOption(JSON_OPTION)
    .option("--output <file>", "write it to a file instead of standard output; a program only to a new one")
    .addOption(BASE_URL_OPTION)
    .addHelpText(
      "after",
      `
The interface does not show the list of channels, so a service may lack it. With --format typescript, the program
takes the channels over instead of creating them. No response of the service has a destination: the program reads
each one from a secret of the stack, and begins with the commands that set them. With --from-stack, channels that the
stack has recorded already are marked, and left out of the program.

Prints everything it could list, even if something is missing; an incomplete program is not written to a file. Unless
standard output is a terminal, what could not be listed is also said on standard error. Exit codes:
  0  the channels of every domain are listed
  1  anything else: those of a domain could not be listed, or the arguments or settings are not valid
${PATIENT_HELP}

Examples:
  npx pulumi-domain-monitoring channels --domain 11111111-1111-4111-8111-111111111111
  npx pulumi-domain-monitoring channels --domain 11111111-1111-4111-8111-111111111111 --format typescript --output index.ts
  pulumi stack export | npx pulumi-domain-monitoring channels --all --from-stack - --format json`,
    )
    .action(withExitCode(runChannels));
}

/** Arguments of the command. */
interface ChannelsArguments extends DomainSelection, FormatArguments<ChannelsFormat> {
  output?: string;
  baseUrl?: string;
}

/** The formats of a list of channels. */
type ChannelsFormat = "table" | "json" | "typescript";

/** Lists the channels and returns the exit code. @throws Error with one line if that is impossible */
async function runChannels(given: ChannelsArguments): Promise<number> {
  const { output } = given;
  const format = formatOf(given);
  const isProgram = format === "typescript";
  if (isProgram && output !== undefined) refuseExisting(output);
  const selection = await readSelection(given);
  const recorded =
    given.fromStack === undefined ? undefined : new Set(selection.channelIds.map((id) => id.toLowerCase()));
  const domains = await forEachDomain(selection, given.baseUrl, (id, domain, account) =>
    listChannels(id, domain, account, recorded),
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
