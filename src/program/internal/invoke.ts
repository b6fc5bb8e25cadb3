/**
 * Runs functions: the promise form at once, the Output form when its arguments are known. The engine's dynamic providers
 * do not support functions, so they run in the program, in previews too, and leave nothing in the state.
 */
import * as pulumi from "@pulumi/pulumi";
import type { DomainMonitoringClient } from "../../client/client";
import { DomainMonitoringError } from "../../client/errors";
import type { ExplicitSettings } from "../../config";
import { programClient } from "./connection";
import { endProgram, quiet } from "./end-program";
import { isKnown, withChildren } from "./sdk";

/** What a function needs of an explicit provider; implemented by `Provider`. */
export interface AccountProvider extends pulumi.ProviderResource {
  /** Settings of the account; the token makes them secret. */
  readonly settings: pulumi.Output<ExplicitSettings>;
}

/** Options of a function. */
export interface FunctionOptions {
  /** The account to use. @default that of stack config and environment */
  provider?: AccountProvider;
  /** The client to use instead of all settings. @default none */
  client?: DomainMonitoringClient;
}

/** Options of a function's Output form. */
export interface OutputFunctionOptions extends FunctionOptions {
  /** Resources that must exist first, including a component's children; until they do, the result is unknown. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** The promise form. An error that the program does not catch ends it with one line. */
export async function call<T>(
  run: (client: DomainMonitoringClient) => Promise<T>,
  opts: FunctionOptions = {},
): Promise<T> {
  try {
    return await run(opts.client ?? programClient(opts.provider && (await settled(opts.provider))));
  } catch (error) {
    // `opts.client` may be of another copy of this package.
    throw DomainMonitoringError.isInstance(error) ? quiet(error) : error;
  }
}

/** The Output form: runs once arguments, provider and `dependsOn` are known; in a preview they may not be. */
export function callOutput<Args, T>(
  args: pulumi.Input<Args>,
  run: (args: pulumi.Unwrap<Args>, client: DomainMonitoringClient) => Promise<T>,
  opts: OutputFunctionOptions = {},
): pulumi.Output<T> {
  // The result must not become secret because of the token.
  const settings = opts.provider ? pulumi.unsecret(opts.provider.settings) : undefined;
  const inputs = pulumi.output({ args, settings, existing: existing(opts.dependsOn) });
  return inputs.apply(({ args: known, settings: explicit }) =>
    call(async (client) => run(known as pulumi.Unwrap<Args>, client), {
      client: opts.client ?? (explicit && programClient(explicit)),
    }),
  ) as pulumi.Output<T>;
}

/** Known once the resources exist, including a component's children. */
function existing(dependsOn: OutputFunctionOptions["dependsOn"]): pulumi.Output<unknown> {
  return pulumi.output(dependsOn).apply(async (given) => {
    const resources = given === undefined ? [] : Array.isArray(given) ? given : [given];
    return pulumi.all([...(await withChildren(resources))].map(identity));
  });
}

/** An output that is known once the resource exists. The SDK's references to resources of other processes have no id. */
function identity(resource: pulumi.Resource): pulumi.Output<string> {
  const id = pulumi.CustomResource.isInstance(resource) ? resource.id : undefined;
  return id ?? resource.urn;
}

/** A provider's settings. Unknown settings are an error, as the promise would never settle. */
async function settled(provider: AccountProvider): Promise<ExplicitSettings> {
  const { settings } = provider;
  if (!(await isKnown(settings))) {
    throw endProgram(
      "the provider's settings are not known yet in this preview: use the Output form of the function, which waits for them",
    );
  }
  return new Promise((resolve) => {
    settings.apply((known) => resolve(known));
  });
}
