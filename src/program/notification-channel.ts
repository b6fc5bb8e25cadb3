/**
 * The resource that a program constructs. It registers the provider's text and the inputs; the
 * provider is in `provider/`.
 */
import * as pulumi from "@pulumi/pulumi";
import type { ChannelType, WebhookMethod } from "../client/types";
import { CHANNEL_TOKEN, FACTS, FLAGS, type Lifecycle, PROVIDER_TEXT } from "../names";
import {
  checkDeployment,
  refuseImport,
  warnAboutDuplicate,
  warnAboutKeptDomain,
} from "./internal/checks";
import { isMocked, isOfType } from "./internal/sdk";

/**
 * Inputs of a channel (interface.md, section 4.4), of which some depend on `type`. A change of what
 * is sent to the service replaces the channel, unless its lifecycle is managed.
 */
export interface CommonChannelArgs {
  /** Id of the monitored domain. */
  domainId: pulumi.Input<string>;

  /** Display label: 3 to 100 characters, counted as code points. */
  label: pulumi.Input<string>;

  /** Kind of destination that the service sends notifications to. */
  type: pulumi.Input<ChannelType>;

  /**
   * The destination, or null for none: an address for `email`, an http or https URL for `webhook`,
   * a webhook URL for `discord`, `slack` and `ms_teams`, a key for `pushover`. Always kept as a
   * secret.
   */
  value: pulumi.Input<string | null>;

  /**
   * For a `webhook`: the HTTP method, `POST`, `PUT` or `PATCH`. Undocumented for other types.
   * Always kept as a secret.
   * @default unset; the service's own for a `webhook`
   */
  secondaryValue?: pulumi.Input<string | null | undefined>;

  /** Notify about WHOIS changes. @default true */
  whoisNotificationsEnabled?: pulumi.Input<boolean | null | undefined>;

  /** Notify about changes of DNS records. @default true */
  dnsNotificationsEnabled?: pulumi.Input<boolean | null | undefined>;

  /** Notify about certificate issues. @default true */
  sslNotificationsEnabled?: pulumi.Input<boolean | null | undefined>;

  /**
   * `"create-only"`: the channel is created, and never read, changed or deleted. `"managed"`: a
   * refresh reads it, updates change it in place, and it is deleted. `pulumi up` saves the
   * lifecycle per channel; destroy uses the saved value.
   * @experimental the service does not document `"managed"`: see "Managed channels" at the
   * package's homepage
   * @default the provider's argument `lifecycle`, else stack config `domain-monitoring:lifecycle`,
   * else `"create-only"`
   */
  lifecycle?: pulumi.Input<Lifecycle | undefined>;

  /**
   * Id of an existing channel to manage, instead of creating one. It needs lifecycle `"managed"`.
   * The declared values are set on the channel, including the destination. While set, Pulumi never
   * deletes the channel: a destroy or a replacement only drops it from the state. Remove it to let
   * the stack own the channel: from then on, a destroy deletes it.
   * @experimental as `lifecycle`
   * @default none: the channel is created
   */
  adopt?: pulumi.Input<string | undefined>;
}

/** A channel of type `webhook`. */
export interface WebhookChannelArgs extends CommonChannelArgs {
  /** Requests to the URL in `value`. */
  type: "webhook";

  /** HTTP method of the requests. Always kept as a secret. @default the service's */
  secondaryValue?: pulumi.Input<WebhookMethod | null | undefined>;
}

/** A channel of any type but `webhook`. */
export interface OtherChannelArgs extends CommonChannelArgs {
  /** Any type but `webhook`. */
  type: pulumi.Input<Exclude<ChannelType, "webhook">>;
}

/**
 * A channel whose type is known at run time only, for example the `type` of another channel. As it
 * may be a webhook, `secondaryValue` must be valid for one.
 */
export interface RuntimeTypeChannelArgs extends CommonChannelArgs {
  /** An output or a promise. */
  type: Exclude<pulumi.Input<ChannelType>, ChannelType>;

  /** HTTP method of a webhook. Always kept as a secret. @default the service's */
  secondaryValue?: pulumi.Input<WebhookMethod | null | undefined>;
}

/**
 * Inputs of {@link NotificationChannel}, discriminated by `type`. Use `ChannelSpec` instead of
 * `Omit<…, "domainId">`, which would lose the link between `type` and the other inputs.
 */
export type NotificationChannelArgs =
  | WebhookChannelArgs
  | OtherChannelArgs
  | RuntimeTypeChannelArgs;

type Outputs = Omit<NotificationChannel, keyof pulumi.CustomResource | "channelId">;

/** The outputs, each as an input that may be left out. */
type OutputsAsInputs = {
  -readonly [Name in keyof Outputs]?: pulumi.Input<pulumi.Unwrap<Outputs[Name]> | undefined>;
};

/** Known outputs of an existing channel, for {@link NotificationChannel.get}. */
export interface NotificationChannelState extends OutputsAsInputs {
  /**
   * With `"managed"` and `domainId`, Pulumi reads the channel from the service.
   * @experimental as the input of the channel
   * @default "create-only": the outputs are those given
   */
  lifecycle?: pulumi.Input<Lifecycle | undefined>;
}

/** Outputs that are no secrets. */
const OUTPUTS = ["domainId", "label", "type", ...FLAGS, ...FACTS, "lifecycle"] as const;

/**
 * A notification channel of a monitored domain (interface.md, sections 2.4 and 4.4).
 *
 * By default this package creates a channel, and never reads, changes or deletes it, because the
 * service documents only the create. Every change of an input that is sent to the service creates
 * another channel. The old one stays in the service, as does every destroyed one. Warnings name
 * both with label, type, domain and id; the option `protect` refuses both. With `lifecycle: "managed"`, which is
 * experimental, Pulumi reads, changes and deletes a channel like any other resource.
 *
 * @example
 * import * as pulumi from "@pulumi/pulumi";
 * import { NotificationChannel } from "pulumi-domain-monitoring";
 *
 * const config = new pulumi.Config();
 * new NotificationChannel("ops", {
 *   domainId: config.require("domainId"),
 *   label: "Ops on-call",
 *   type: "slack",
 *   value: config.requireSecret("slackUrl"),
 * });
 */
export class NotificationChannel extends pulumi.CustomResource {
  /** Type token, for policies. */
  static readonly __pulumiType = CHANNEL_TOKEN;

  /** Id of the monitored domain. */
  declare readonly domainId: pulumi.Output<string>;

  /** Display label. */
  declare readonly label: pulumi.Output<string>;

  /** Kind of channel. */
  declare readonly type: pulumi.Output<ChannelType>;

  /** The destination; always secret. */
  declare readonly value: pulumi.Output<string | null>;

  /** Always secret. */
  declare readonly secondaryValue: pulumi.Output<string | null>;

  /** Whether it is notified of WHOIS changes. */
  declare readonly whoisNotificationsEnabled: pulumi.Output<boolean>;

  /** Whether it is notified of changes of DNS records. */
  declare readonly dnsNotificationsEnabled: pulumi.Output<boolean>;

  /** Whether it is notified of certificate issues. */
  declare readonly sslNotificationsEnabled: pulumi.Output<boolean>;

  /** Id of the channel in the service; the same as `id`. */
  declare readonly channelId: pulumi.Output<string>;

  /** Display name of the type. */
  declare readonly typeHuman: pulumi.Output<string>;

  /** Whether the service protects it, as of the last response about the channel. */
  declare readonly isProtected: pulumi.Output<boolean>;

  /** Whether the service has switched it off, as of the last response about the channel. */
  declare readonly isDisabled: pulumi.Output<boolean>;

  /** Reason why it is switched off; null if it is not. */
  declare readonly disabledReason: pulumi.Output<string | null>;

  /**
   * `SQL-TS`, taken as UTC; empty if the service's response to the create could not be read, or has
   * another format.
   */
  declare readonly createdAt: pulumi.Output<string>;

  /** Lifecycle recorded for this channel. @experimental as the input */
  declare readonly lifecycle: pulumi.Output<Lifecycle>;

  /** Whether an object is a channel, even one made by another copy of this package. */
  static override isInstance(obj: unknown): obj is NotificationChannel {
    return isOfType(obj, CHANNEL_TOKEN);
  }

  /**
   * Refers to an existing channel. Its outputs are those given in `state`, and nothing checks that
   * it exists; with `lifecycle: "managed"` and a `domainId` in `state` it is read from the service.
   * @param id id of the channel in the service
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: NotificationChannelState,
    opts?: pulumi.CustomResourceOptions,
  ): NotificationChannel {
    // The constructor takes what is given as state if the options have an id. One public signature
    // keeps errors readable.
    return new NotificationChannel(name, { ...state } as NotificationChannelArgs, { ...opts, id });
  }

  constructor(name: string, args: NotificationChannelArgs, opts?: pulumi.CustomResourceOptions) {
    refuseImport(
      "channel",
      name,
      opts,
      (id) =>
        `declare adopt: ${JSON.stringify(id)} with lifecycle "managed" instead, or use the provider plugin`,
    );

    checkDeployment(CHANNEL_TOKEN, opts);
    const { value, secondaryValue, ...clear }: NotificationChannelArgs | NotificationChannelState =
      args;

    const hasSecondaryValue = secondaryValue !== undefined && secondaryValue !== null;

    super(
      CHANNEL_TOKEN,
      name,
      {
        // Every output is listed, so that it always exists and is unknown in a preview.
        ...Object.fromEntries(OUTPUTS.map((output) => [output, undefined])),
        secondaryValue: hasSecondaryValue ? pulumi.secret(secondaryValue) : undefined,
        ...clear,
        // The provider tells resources apart by it.
        resourceName: name,
        // Otherwise the provider, which is sent secrets like other values, would name the channel
        // by it.
        secretLabel: pulumi
          .isSecret(pulumi.output(clear.label))
          .then((isSecret) => isSecret || undefined),
        // A missing value stays undefined, to distinguish it from null.
        value: value === undefined ? undefined : pulumi.secret(value),
        __provider: PROVIDER_TEXT,
      },
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: hasSecondaryValue ? ["value", "secondaryValue"] : ["value"],
      }),
    );

    // Only the lifecycle that is not the default is recorded.
    const recorded: pulumi.Output<Lifecycle | undefined> = this.lifecycle;

    this.lifecycle = recorded.apply((lifecycle) => lifecycle ?? "create-only");
    if (opts?.id !== undefined) return;

    if (isMocked()) fillIn(this);
    warnAboutDuplicate(name, this);
    warnAboutKeptDomain(this, opts?.deletedWith);
  }
}

/** The outputs that the service would fill in: mocks return only the inputs. */
function fillIn(channel: NotificationChannel): void {
  const channelId: pulumi.Output<string | undefined> = channel.channelId;
  const flags = FLAGS.map((flag) => {
    const given: pulumi.Output<boolean | undefined> = channel[flag];
    return [flag, given.apply((on) => on ?? true)];
  });

  Object.assign(channel, {
    channelId: channelId.apply((known) => known ?? channel.id),
    ...Object.fromEntries(flags),
  });
}
