/**
 * Runs functions: the promise form at once, the Output form when its arguments are known. The
 * engine's dynamic providers do not support functions, so they run in the program, even in
 * previews, and leave nothing in the state.
 */
import * as pulumi from "@pulumi/pulumi";
import type { DomainMonitoringClient } from "../../client/client";
import { DomainMonitoringError } from "../../client/errors";
import { rateLimitNotice } from "../../client/options";
import { type ExplicitSettings, resolveConfiguration } from "../../config";
import type { Host, ServiceFunction } from "../../functions/function";
import { CHANNEL_TOKEN, FUNCTION_PREFIX } from "../../names";
import { harmless } from "../../provider/boundary";
import type { FunctionOptions, OutputFunctionOptions } from "../function-options";
import { Provider } from "../provider";
import {
  currentRun,
  endProgram,
  endWithProgram,
  inheritedProvider,
  isKnown,
  isMocked,
  packageOf,
  promiseOf,
  quiet,
  resourcesOf,
  stackConfig,
  withChildren,
} from "./sdk";

/** The promise form. An error that the program does not catch ends it with one line. */
export async function call<Args extends object, Result extends object>(
  definition: ServiceFunction<Args, Result>,
  args: Args,
  opts: FunctionOptions = {},
): Promise<Result> {
  const account = explicitProvider(opts);
  return runIn(currentRun(), definition, args, opts.client, account, () => settled(account));
}

/**
 * The Output form: runs once arguments, provider and `dependsOn` are known, and the resources that
 * the arguments come from exist; in a preview they may not.
 */
export function callOutput<Result extends object>(
  definition: ServiceFunction<object, Result>,
  args: object,
  opts: OutputFunctionOptions = {},
): pulumi.Output<Result> {
  const run = currentRun();
  const account = explicitProvider(opts);
  // The result must not become secret because of the token.
  const settings = account && pulumi.unsecret(account.settings);
  const given = pulumi.output(args);
  const inputs = pulumi.output({
    args: given,
    settings,
    dependencies: dependencies(opts.dependsOn, given),
  });

  return inputs.apply(({ args: known, settings: explicit }) =>
    runIn(run, definition, known, opts.client, account, async () => explicit),
  ) as pulumi.Output<Result>;
}

/**
 * Runs a function for a run of the program, which may have ended when the arguments are known.
 * Mocks respond in place of the service, by the plugin's tokens.
 */
async function runIn<Result extends object>(
  run: object | undefined,
  definition: ServiceFunction<object, Result>,
  args: object,
  client: DomainMonitoringClient | undefined,
  account: Provider | undefined,
  settings: () => Promise<ExplicitSettings | undefined>,
): Promise<Result> {
  if (!client && isMocked(run))
    return pulumi.runtime.invoke(
      FUNCTION_PREFIX + definition.name,
      { ...args },
      { provider: account },
    );

  try {
    const host = {
      client: client ?? programClient(await settings()),
      run,
      ...messages(),
    };

    return harmless(await definition.run(args, host));
  } catch (error) {
    endWithProgram(run);
    // `opts.client` may be of another copy of this package.
    throw DomainMonitoringError.isInstance(error) ? quiet(error) : error;
  }
}

/** Functions by which a program warns, about a resource if there is one, and fails. */
export function messages(resource?: pulumi.Resource): Pick<Host, "warn" | "failure"> {
  return { warn: (line) => pulumi.log.warn(line, resource), failure: endProgram };
}

/**
 * Known once the resources exist, including a component's children, and the resources that an
 * output comes from.
 */
function dependencies(
  dependsOn: OutputFunctionOptions["dependsOn"],
  args: pulumi.Output<unknown>,
): pulumi.Output<unknown> {
  return pulumi.output(dependsOn).apply(async (given) => {
    const resources = given === undefined ? [] : Array.isArray(given) ? given : [given];
    const all = await withChildren([...resources, ...(await resourcesOf(args))]);

    return pulumi.all([...all].map(identity));
  });
}

/**
 * An output that is known once the resource exists. The SDK's references to resources of other
 * processes have no id.
 */
function identity(resource: pulumi.Resource): pulumi.Output<string> {
  const id = pulumi.CustomResource.isInstance(resource) ? resource.id : undefined;
  return id ?? resource.urn;
}

/**
 * The explicit provider of a call, found as for a channel; undefined for the stack's own account,
 * and with a client.
 * @throws an error that ends the program with one line if it is not of this package
 */
function explicitProvider({ client, provider, parent }: FunctionOptions): Provider | undefined {
  if (client) return undefined;

  const found = provider ?? inheritedProvider(parent, CHANNEL_TOKEN);
  if (found === undefined || Provider.isInstance(found)) return found;

  throw endProgram(
    `a provider of the package ${JSON.stringify(packageOf(found))} has no account for this function: ` +
      "pass a Provider of pulumi-domain-monitoring, or none for the stack's own account",
  );
}

/** A provider's settings. Unknown settings are an error, because there is no account to ask. */
async function settled(account: Provider | undefined): Promise<ExplicitSettings | undefined> {
  if (account === undefined) return undefined;

  const { settings } = account;
  if (!(await isKnown(settings))) {
    throw endProgram(
      "the provider's settings are not known yet in this preview: use the Output form of the function, which waits for them",
    );
  }

  return promiseOf(settings);
}

const clients = new Map<string, DomainMonitoringClient>();

/**
 * The client for these settings: equal settings share one, and so its connections.
 * @throws DomainMonitoringError of kind `configuration` if settings are missing or not valid
 */
function programClient(explicit: ExplicitSettings | undefined): DomainMonitoringClient {
  const configuration = resolveConfiguration({
    explicit,
    stackConfig,
    environment: process.env,
  });

  const key = JSON.stringify(configuration);
  const known = clients.get(key);
  if (known) return known;

  const onRateLimit = rateLimitNotice(messages().warn);
  const client = new (loadClient().DomainMonitoringClient)({ ...configuration, onRateLimit });

  clients.set(key, client);

  return client;
}

/** Loaded late, because it loads undici and zod. */
function loadClient(): typeof import("../../client/client") {
  return require("../../client/client");
}
