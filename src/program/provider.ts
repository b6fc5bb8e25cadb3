/** An explicit provider, for a second account in one stack. */
import * as pulumi from "@pulumi/pulumi";
import { type ExplicitSettings, emptyArgumentProblem, NO_TOKEN_ARGUMENT } from "../config";
import {
  ABANDON_KEY,
  ARGUMENT_PREFIX,
  DYNAMIC_PACKAGE,
  LIFECYCLE_KEY,
  type Lifecycle,
  MOVED_FROM_KEY,
} from "../names";
import { endProgram, isOfType } from "./internal/sdk";

/** Arguments of {@link Provider}. Each overrides the setting of that name. */
export interface ProviderArgs {
  /** Base address: `https:`, or `http:` on a loopback host only. */
  baseUrl: pulumi.Input<string>;

  /** Bearer token of the account; always kept as a secret, even in the state. */
  apiToken: pulumi.Input<string>;

  /**
   * Deadline of a whole call in seconds. If unset, functions use stack config, then the
   * environment; channels use the environment. @default 120
   */
  timeoutSeconds?: pulumi.Input<number | undefined>;

  /**
   * Further attempts after the first. If unset, functions use stack config, then the environment;
   * channels use the environment. @default 3
   */
  maxRetries?: pulumi.Input<number | undefined>;

  /**
   * Requests in flight. If unset, functions use stack config, then the environment; channels use
   * the environment. @default 8
   */
  concurrency?: pulumi.Input<number | undefined>;

  /**
   * The lifecycle of channels that do not declare one.
   * @experimental the service does not document `"managed"`: see "Managed channels" at the
   * package's homepage
   * @default stack config `domain-monitoring:lifecycle`, else `"create-only"`
   */
  lifecycle?: pulumi.Input<Lifecycle | undefined>;
}

/**
 * Settings of another account, for resources (`opts.provider`), components (`opts.providers`) and
 * functions (`opts.provider`).
 *
 * The engine runs every dynamic resource in a provider named `pulumi-nodejs`, so dynamic resources
 * of other packages must not be given this provider: they would lose the stack's configuration.
 */
export class Provider extends pulumi.ProviderResource {
  /** Settings for functions; always secret. */
  readonly settings: pulumi.Output<ExplicitSettings>;

  /** Whether an object is a `Provider` of this package, even one made by another copy of it. */
  static override isInstance(obj: unknown): obj is Provider {
    return (
      pulumi.CustomResource.isInstance(obj) &&
      isOfType(obj, `pulumi:providers:${DYNAMIC_PACKAGE}`) &&
      // Every dynamic resource's provider is of that package.
      "settings" in obj &&
      pulumi.Output.isInstance(obj.settings)
    );
  }

  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    if ((args.apiToken ?? null) === null) throw endProgram(NO_TOKEN_ARGUMENT);

    const baseUrl = present("baseUrl", args.baseUrl ?? "");
    const apiToken = present("apiToken", pulumi.secret(args.apiToken));
    const { timeoutSeconds, maxRetries, concurrency, lifecycle } = args;

    super(
      DYNAMIC_PACKAGE,
      name,
      {
        [`${ARGUMENT_PREFIX}baseUrl`]: baseUrl,
        [`${ARGUMENT_PREFIX}apiToken`]: apiToken,
        [`${ARGUMENT_PREFIX}timeoutSeconds`]: timeoutSeconds,
        [`${ARGUMENT_PREFIX}maxRetries`]: maxRetries,
        [`${ARGUMENT_PREFIX}concurrency`]: concurrency,
        [`${ARGUMENT_PREFIX}lifecycle`]: lifecycle,
        // The provider's process gets all this instead of stack config.
        [LIFECYCLE_KEY]: pulumi.runtime.getConfig(LIFECYCLE_KEY),
        [MOVED_FROM_KEY]: pulumi.runtime.getConfig(MOVED_FROM_KEY),
        [ABANDON_KEY]: pulumi.runtime.getConfig(ABANDON_KEY),
      },
      opts,
    );

    this.settings = pulumi.output({ baseUrl, apiToken, timeoutSeconds, maxRetries, concurrency });
  }
}

/**
 * An empty argument would count as not set, and another account's token could be sent to this base
 * address.
 */
function present(name: string, given: pulumi.Input<string>): pulumi.Output<string> {
  return pulumi.output(given).apply((known) => {
    if (known) return known;
    throw endProgram(emptyArgumentProblem(name));
  });
}
