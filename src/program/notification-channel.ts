/**
 * The resource that a program constructs. It registers the provider's text and the inputs; the
 * provider is in `provider/`.
 */
import * as pulumi from "@pulumi/pulumi";
import {
  CHANNEL,
  CHANNEL_FIELDS,
  type CreateNotificationChannel,
  DEFAULTED,
} from "../client/fields";
import type {
  ChannelType,
  NotificationChannelData,
  NotificationFlags,
  WebhookMethod,
} from "../client/types";
import { CHANNEL_TOKEN, FACTS, type Lifecycle, PROVIDER_TEXT } from "../names";
import type { InputsOf } from "./function-options";
import {
  checkDeployment,
  refuseImport,
  warnAboutDuplicate,
  warnAboutKeptDomain,
} from "./internal/checks";
import { isMocked, isOfType } from "./internal/sdk";

/**
 * Inputs of a channel (interface.md, section 4.4); some depend on `type`. Changing an input that is
 * sent to the service replaces the channel, unless its lifecycle is managed.
 */
export interface CommonChannelArgs extends InputsOf<CreateNotificationChannel> {
  /** Id of the monitored domain. */
  domainId: pulumi.Input<string>;

  /**
   * Pulumi creates a `"create-only"` channel, and never reads, changes or deletes it. It reads a
   * `"managed"` one in a refresh, updates it in place and deletes it. `pulumi up` saves the lifecycle
   * per channel; destroy uses the saved value.
   * @experimental the service does not document `"managed"`: see "Managed channels" at the
   * package's homepage
   * @default the provider's argument `lifecycle`, else stack config `domain-monitoring:lifecycle`,
   * else `"create-only"`
   */
  lifecycle?: pulumi.Input<Lifecycle | undefined>;

  /**
   * Id of an existing channel to manage, instead of creating one. It needs lifecycle `"managed"`.
   * The declared values are set on the channel, including the destination. Pulumi never deletes the
   * channel as long as this is set: a destroy or a replacement only drops it from the state. Remove
   * it to let the stack own the channel: from then on, a destroy deletes it.
   * @experimental as `lifecycle`
   * @default none: the channel is created
   */
  adopt?: pulumi.Input<string | undefined>;
}

/** A channel of type `webhook`. */
export interface WebhookChannelArgs extends CommonChannelArgs {
  /** Sends requests to the URL in `value`. */
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
 * A channel whose type is only known at run time, for example the `type` of another channel.
 * `secondaryValue` must be valid for a webhook, because the channel may be one.
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

/** Values that an output always has: null, if not another one. */
type Recorded<Args> = { [Name in keyof Args]-?: Exclude<Args[Name], undefined> };

/** The outputs of a channel, by their values. */
interface ChannelOutputs
  extends Recorded<Omit<CreateNotificationChannel, keyof NotificationFlags>>,
    NotificationFlags,
    Pick<NotificationChannelData, "typeHuman"> {
  /** Id of the monitored domain. */
  domainId: string;

  /** Id of the channel in the service; the same as `id`. */
  channelId: string;

  /** Whether the service protects it, as of the last response about the channel. */
  isProtected: boolean;

  /** Whether the service has switched it off, as of the last response about the channel. */
  isDisabled: boolean;

  /** Why it is switched off; null if it is on. */
  disabledReason: string | null;

  /**
   * Creation time, `SQL-TS`, taken as UTC; empty if the response to the create couldn't be read or
   * has another format.
   */
  createdAt: string;

  /** Lifecycle recorded for this channel. @experimental as the input */
  lifecycle: Lifecycle;
}

type Outputs = { readonly [Name in keyof ChannelOutputs]: pulumi.Output<ChannelOutputs[Name]> };

/** Each output as an input that may be left out. */
type OutputsAsInputs = {
  [Name in keyof Omit<ChannelOutputs, "channelId">]?: pulumi.Input<
    ChannelOutputs[Name] | undefined
  >;
};

/** Known outputs of an existing channel, for {@link NotificationChannel.get}. */
export interface NotificationChannelState extends OutputsAsInputs {
  /**
   * With `"managed"` and `domainId`, Pulumi reads the channel from the service.
   * @experimental as the input of the channel
   * @default "create-only": the outputs are the given values
   */
  lifecycle?: pulumi.Input<Lifecycle | undefined>;
}

/** Every output, so that it always exists and is unknown in a preview. */
const OUTPUTS = ["domainId", ...CHANNEL_FIELDS, ...FACTS, "lifecycle"];

/** The outputs, which the engine sets on the object. */
export interface NotificationChannel extends Outputs {}

/**
 * A notification channel of a monitored domain (interface.md, sections 2.4 and 4.4).
 *
 * By default, Pulumi creates a channel and never touches it again, because the service documents
 * nothing else. Changing an input that is sent to the service creates a second channel. The first
 * one stays in the service and keeps notifying, as does every destroyed one. Warnings name each with
 * label, type, domain and id; the option `protect` prevents both. With `lifecycle: "managed"`
 * (experimental), Pulumi reads, updates and deletes a channel like any other resource.
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
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the base class assigns every output.
export class NotificationChannel extends pulumi.CustomResource {
  /** Type token, for policies. */
  static readonly __pulumiType = CHANNEL_TOKEN;

  /** Whether an object is a channel, even one made by another copy of this package. */
  static override isInstance(obj: unknown): obj is NotificationChannel {
    return isOfType(obj, CHANNEL_TOKEN);
  }

  /**
   * Refers to an existing channel. Its outputs are the values in `state`, and nothing checks that it
   * exists. Pulumi reads it from the service if `state` has `lifecycle: "managed"` and a `domainId`.
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
    const lifecycle = recorded.apply((known) => known ?? "create-only");

    Object.assign(this, { lifecycle });
    if (opts?.id !== undefined) return;

    if (isMocked()) fillIn(this);
    warnAboutDuplicate(name, this);
    warnAboutKeptDomain(this, opts?.deletedWith);
  }
}

/** The outputs that the service would fill in: mocks return only the inputs. */
function fillIn(channel: NotificationChannel): void {
  const channelId: pulumi.Output<string | undefined> = channel.channelId;
  const settings = DEFAULTED.map((name) => {
    const given: pulumi.Output<unknown> = channel[name];
    return [name, given.apply((known) => known ?? CHANNEL[name].default)];
  });

  Object.assign(channel, {
    channelId: channelId.apply((known) => known ?? channel.id),
    ...Object.fromEntries(settings),
  });
}
