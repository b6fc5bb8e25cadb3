/**
 * `pulumi-domain-monitoring check`: asks the service to check domains now, such as after a renewal.
 * Experimental.
 */
import { Command, Option } from "commander";
import type { DomainMonitoringClient } from "../client/client";
import type { Domain } from "../client/types";
import { sentences } from "../common/text";
import { outcomeOf } from "./calls";
import { BASE_URL_OPTION, domainsOption, patientHelp } from "./options";
import { EXIT_FAILURE, print, printError, withExitCode } from "./output";
import { forEachDomain, readSelection } from "./selection";
import { printable } from "./text";

const COMPONENTS = { whois: "WHOIS", dns: "DNS" } as const;

type Component = keyof typeof COMPONENTS;

interface CheckArguments {
  domain: string[];
  component?: Component;
  baseUrl?: string;
}

/** The result of one request, in a line. */
interface CheckResult {
  isQueued: boolean;
  line: string;
}

export function checkCommand(): Command {
  return new Command("check")
    .description("ask the service to check domains now, such as after a renewal (experimental)")
    .addOption(domainsOption().makeOptionMandatory())
    .addOption(
      new Option("--component <component>", "the data to check (default: both)").choices(
        Object.keys(COMPONENTS),
      ),
    )
    .addOption(BASE_URL_OPTION)
    .addHelpText(
      "after",
      `
The service queues a check, at most one in two hours for each domain. If it refuses, the command prints when the last one
was. Certificates cannot be checked by hand. The service does not document this operation and may lack it. Each request
is sent once. Exit codes:
  0  every check is queued
  1  anything else
${patientHelp("Names are experimental: the account's list of domains, in which they are looked up, is not documented.")}

Example:
  pulumi-domain-monitoring check --domain example.com --component whois`,
    )
    .action(withExitCode(run));
}

async function run({ domain, component, baseUrl }: CheckArguments): Promise<number> {
  const components: Component[] = component ? [component] : ["whois", "dns"];
  const selection = await readSelection({ domain });
  const results = await forEachDomain(
    selection,
    baseUrl,
    async (id, { value, failure }, { client }) => {
      if (failure) return [{ isQueued: false, line: `${id}: ${failure.message}` }];

      const checks: CheckResult[] = [];

      for (const each of components) checks.push(await check(value, each, client));

      return checks;
    },
  );

  const all = results.flat();

  for (const { isQueued, line } of printable(all)) {
    if (isQueued) print(line);
    else printError(line);
  }

  return all.every(({ isQueued }) => isQueued) ? 0 : EXIT_FAILURE;
}

async function check(
  { id, domain, components }: Domain,
  component: Component,
  client: DomainMonitoringClient,
): Promise<CheckResult> {
  const { failure } = await outcomeOf(client.domains.check(id, component));
  const what = `${domain}: the check of ${COMPONENTS[component]} data`;
  if (!failure) return { isQueued: true, line: `${what} is queued` };

  const isRefused = failure.status === 422 || failure.status === 429;
  const { lastManualCheckAt } = components[component];
  const parts = [`${what} is not queued: ${failure.message}`];
  if (isRefused && lastManualCheckAt)
    parts.push(`It was last checked by hand at ${lastManualCheckAt}`);

  return { isQueued: false, line: sentences(parts) };
}
