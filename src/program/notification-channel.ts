/** The resource that a program constructs. It registers the provider's text and the inputs; the provider is in `provider/`. */
import * as pulumi from "@pulumi/pulumi";
import type { ChannelType, WebhookMethod } from "../client/types";
import { CHANNEL_TOKEN, PROVIDER_TEXT } from "../names";
import { warnAboutDuplicate } from "./internal/duplicates";
import { preflight } from "./internal/preflight";

/** Inputs that channels of every type have (interface.md, section 4.4). A change of any of them replaces the channel. */
export interface CommonChannelArgs {
  /** Id of the monitored domain. */
  domainId: pulumi.Input<string>;
  /** Display label: 3 to 100 characters, counted as code points. */
  label: pulumi.Input<string>;
  /** Notify about WHOIS changes. @default true */
  whoisNotificationsEnabled?: pulumi.Input<boolean | null>;
  /** Notify about changes of DNS records. @default true */
  dnsNotificationsEnabled?: pulumi.Input<boolean | null>;
  /** Notify about certificate issues. @default true */
  sslNotificationsEnabled?: pulumi.Input<boolean | null>;
  /**
   * What a replacement or a destroy does about the old channel, which this package cannot delete: `"warn"` names it and
   * continues, `"error"` refuses. To proceed after a refusal, set it to `"warn"` and run `pulumi up`.
   * @default "warn"
   */
  onOrphan?: pulumi.Input<"warn" | "error">;
}

/** A channel of type `webhook`. */
export interface WebhookChannelArgs extends CommonChannelArgs {
  /** Where the service sends notifications. */
  type: "webhook";
  /** The destination: an http or https URL, or null. Kept as a secret whatever is passed. */
  value: pulumi.Input<string | null>;
  /** HTTP method of the webhook. Kept as a secret whatever is passed. @default the service's */
  secondaryValue?: pulumi.Input<WebhookMethod | null>;
}

/** A channel of any type but `webhook`. */
export interface OtherChannelArgs extends CommonChannelArgs {
  /** Where the service sends notifications. */
  type: pulumi.Input<Exclude<ChannelType, "webhook">>;
  /**
   * The destination, or null: an address for `email`, a webhook URL for `discord`, `slack` and `ms_teams`, a key for
   * `pushover`. Kept as a secret whatever is passed.
   */
  value: pulumi.Input<string | null>;
  /** Extra value for certain types, which the interface does not name. Kept as a secret whatever is passed. @default none */
  secondaryValue?: pulumi.Input<string | null>;
}

/**
 * A channel whose type is known at run time only, for example the `type` of another channel. As it may be a webhook,
 * `secondaryValue` must be valid for one.
 */
export interface RuntimeTypeChannelArgs extends CommonChannelArgs {
  /** Where the service sends notifications: an output or a promise. */
  type: Exclude<pulumi.Input<ChannelType>, ChannelType>;
  /** The destination, or null. Kept as a secret whatever is passed. */
  value: pulumi.Input<string | null>;
  /** HTTP method of a webhook. Kept as a secret whatever is passed. @default the service's */
  secondaryValue?: pulumi.Input<WebhookMethod | null>;
}

/** Inputs of {@link NotificationChannel}, discriminated by `type`. */
export type NotificationChannelArgs = WebhookChannelArgs | OtherChannelArgs | RuntimeTypeChannelArgs;

/** Known outputs of an existing channel, for {@link NotificationChannel.get}. */
export interface NotificationChannelState {
  /** Id of the monitored domain. */
  domainId?: pulumi.Input<string>;
  /** Display label. */
  label?: pulumi.Input<string>;
  /** Kind of channel. */
  type?: pulumi.Input<ChannelType>;
  /** The destination; kept as a secret. */
  value?: pulumi.Input<string | null>;
  /** Extra value; kept as a secret. */
  secondaryValue?: pulumi.Input<string | null>;
  /** Whether it is notified of WHOIS changes. */
  whoisNotificationsEnabled?: pulumi.Input<boolean>;
  /** Whether it is notified of changes of DNS records. */
  dnsNotificationsEnabled?: pulumi.Input<boolean>;
  /** Whether it is notified of certificate issues. */
  sslNotificationsEnabled?: pulumi.Input<boolean>;
  /** Display name of the type. */
  typeHuman?: pulumi.Input<string>;
  /** Whether the service protects it. */
  isProtected?: pulumi.Input<boolean>;
  /** Whether the service has switched it off. */
  isDisabled?: pulumi.Input<boolean>;
  /** Why it is switched off; null if it is not. */
  disabledReason?: pulumi.Input<string | null>;
  /** `SQL-TS`, taken as UTC. */
  createdAt?: pulumi.Input<string>;
}

/**
 * A notification channel of a monitored domain (interface.md, sections 2.4 and 4.4).
 *
 * This package can create a channel, but not read, change or delete it, as the interface has no such operation. Every
 * change of an input that is sent to the service creates another channel. The old one stays in the service, as does every
 * destroyed one. Both are reported with label, type, domain and id: see `onOrphan`.
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
  /** Type token, for policies. @internal */
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
  /** Whether the service protected it when it was created. */
  declare readonly isProtected: pulumi.Output<boolean>;
  /** Whether the service had switched it off when it was created. */
  declare readonly isDisabled: pulumi.Output<boolean>;
  /** Why it was switched off; null if it was not. */
  declare readonly disabledReason: pulumi.Output<string | null>;
  /** `SQL-TS`, taken as UTC; empty if the service's answer to the create could not be read. */
  declare readonly createdAt: pulumi.Output<string>;

  /** Whether an object is a channel, also one made by another copy of this package. */
  static override isInstance(obj: unknown): obj is NotificationChannel {
    return (
      typeof obj === "object" &&
      obj !== null &&
      "__pulumiType" in obj &&
      obj.__pulumiType === NotificationChannel.__pulumiType
    );
  }

  /**
   * Refers to an existing channel. This package cannot read it from the service, so its outputs are those given in `state`,
   * and nothing checks that it exists.
   * @param id id of the channel in the service
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: NotificationChannelState,
    opts?: pulumi.CustomResourceOptions,
  ): NotificationChannel {
    // The constructor takes what is given as state if the options have an id. One public signature keeps errors readable.
    return new NotificationChannel(name, { ...state } as NotificationChannelArgs, { ...opts, id });
  }

  constructor(name: string, args: NotificationChannelArgs, opts?: pulumi.CustomResourceOptions) {
    const type = NotificationChannel.__pulumiType;
    const explicitProvider = opts?.provider ?? opts?.parent?.getProvider(type);
    preflight(opts?.id === undefined && explicitProvider === undefined);
    const { value, secondaryValue, ...clear }: NotificationChannelArgs | NotificationChannelState = args;
    const hasSecondaryValue = secondaryValue !== undefined && secondaryValue !== null;
    super(
      type,
      name,
      {
        // Every output is listed, so that it always exists and is unknown in a preview.
        domainId: undefined,
        label: undefined,
        type: undefined,
        whoisNotificationsEnabled: undefined,
        dnsNotificationsEnabled: undefined,
        sslNotificationsEnabled: undefined,
        channelId: undefined,
        typeHuman: undefined,
        isProtected: undefined,
        isDisabled: undefined,
        disabledReason: undefined,
        createdAt: undefined,
        secondaryValue: hasSecondaryValue ? pulumi.secret(secondaryValue) : undefined,
        ...clear,
        // A missing value stays undefined, to distinguish it from null.
        value: value === undefined ? undefined : pulumi.secret(value),
        __provider: PROVIDER_TEXT,
      },
      pulumi.mergeOptions(opts, {
        additionalSecretOutputs: hasSecondaryValue ? ["value", "secondaryValue"] : ["value"],
      }),
    );
    if (opts?.id === undefined) warnAboutDuplicate(name, this);
  }
}
