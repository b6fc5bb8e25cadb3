/**
 * `pulumi-domain-monitoring channels`: the channels that exist in the service, and the
 * program or file that takes them over.
 */
import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { count, toJson } from "../../common/text";
import { type DomainsArguments, domainsCommand } from "../options";
import { deliver, EXIT_FAILURE, printProblems, STANDARD_OUTPUT } from "../output";
import { forEachDomain, readSelection } from "../selection";
import { readSelectedStack, type StackDomains } from "../stack";
import { type ChannelList, channelLister, failureLines } from "./list";
import { renderImportFile, renderProgram } from "./program";
import { renderTable, summaryLine } from "./table";

export function channelsCommand(): Command {
  return domainsCommand<ChannelsArguments>({
    name: "channels",
    description:
      "list the notification channels of domains, or write a program that adopts them (experimental)",
    options: [
      new Option(
        "--output <file>",
        "write to a file instead of standard output; programs and import files only to a new one",
      ),
    ],
    result: "list",
    formats: ["typescript", "import"],
    help: `
The service doesn't document the list of channels and may lack it.

--format typescript writes a program that adopts the channels instead of creating them. --format import writes the file
of \`pulumi import --file\`, for the plugin and any language. Every channel keeps its destination, which the service
never shows. Both leave out the channels that --from-stack has; a list marks them. An import file also leaves out the
channels of the stack that is selected in this directory, if there is one.

Prints everything it could list, even if something is missing, but never writes an incomplete program or import file.
If the output is piped, problems also go to standard error. Exit codes:
  0  the channels of every domain are listed
  1  the channels of a domain couldn't be listed, or an argument or setting isn't valid`,
    examples: `
  npx pulumi-domain-monitoring channels --domain 11111111-1111-4111-8111-111111111111
  npx pulumi-domain-monitoring channels --domain 11111111-1111-4111-8111-111111111111 --format typescript --output index.ts
  pulumi stack export | npx pulumi-domain-monitoring channels --all --from-stack - --format json`,
    run: runChannels,
  });
}

type Format = "table" | "json" | "typescript" | "import";

interface ChannelsArguments extends DomainsArguments<Format> {
  output?: string;
}

const FORMATS: Record<Format, (list: ChannelList) => string> = {
  table: renderTable,
  json: (list) => `${toJson(list)}\n`,
  typescript: renderProgram,
  import: renderImportFile,
};

async function runChannels(given: ChannelsArguments): Promise<number> {
  const { format, output, fromStack } = given;
  const file = output ?? STANDARD_OUTPUT;
  const isProgram = format === "typescript" || format === "import";

  if (isProgram) refuseExisting(output);
  const selection = await readSelection(given);
  // A stack that already has a channel would have it under two names after the import.
  const target = format === "import" ? await readSelectedStack(process.cwd()) : undefined;
  const recorded = fromStack || target ? ownIds(selection, target) : undefined;
  const domains = await forEachDomain(selection, channelLister(recorded));
  const failed = domains.filter(({ failure }) => failure);
  const list: ChannelList = { version: 1, domains, notes: selection.notes };

  printProblems(failureLines(failed), [file]);
  const isIncomplete = isProgram && failed.length > 0;
  // The next run would refuse to replace it.
  if (isIncomplete && output !== undefined)
    throw new Error(
      `${output} was not written, because ${count(failed.length, "domain")} could not be listed: pass the others with --domain, or leave out --output to see the rest`,
    );

  // It may have been created while the service was asked.
  if (isProgram) refuseExisting(output);
  if (!isIncomplete || domains.some(({ channels }) => channels))
    await deliver([{ file, text: FORMATS[format](list) }], summaryLine(list));

  return failed.length > 0 ? EXIT_FAILURE : 0;
}

/** Ids of the channels that stacks have, and do not only refer to. */
function ownIds(...stacks: (Pick<StackDomains, "channels"> | undefined)[]): Set<string> {
  const channels = stacks.flatMap((stack) => stack?.channels ?? []);
  return new Set(channels.flatMap(({ id, role }) => (role === "reference" ? [] : id)));
}

function refuseExisting(file: string | undefined): void {
  if (file !== undefined && existsSync(file))
    throw new Error(
      `${file} exists already and may have been edited: pass another file to --output`,
    );
}
