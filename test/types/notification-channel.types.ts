/**
 * Channel arguments that the compiler accepts or refuses. `tsc --noEmit` is the test: an expected
 * error that does not occur is an error itself. Nothing here ever runs.
 */
import type * as pulumi from "@pulumi/pulumi";
import {
  type ChannelSpec,
  type ChannelType,
  NotificationChannel,
  type NotificationChannelArgs,
  type RuntimeTypeChannelArgs,
  type WebhookMethod,
} from "../../src";

declare const known: { domainId: string; label: string; value: string };
declare const later: {
  text: pulumi.Output<string>;
  flag: pulumi.Output<boolean>;
  promise: Promise<string>;
  type: pulumi.Output<ChannelType>;
  maybe: pulumi.Output<string | null>;
};
declare const atRunTime: pulumi.Input<ChannelType>;

export function aWebhookTakesItsMethodsOnly(): void {
  for (const secondaryValue of ["POST", "PUT", "PATCH", null, undefined] as const)
    new NotificationChannel("ok", { ...known, type: "webhook", secondaryValue });

  // @ts-expect-error methods are in upper case
  new NotificationChannel("no", { ...known, type: "webhook", secondaryValue: "post" });
  // @ts-expect-error any text may be no method
  new NotificationChannel("no", { ...known, type: "webhook", secondaryValue: later.text });
}

export function otherTypesTakeAnyExtraValue(): void {
  new NotificationChannel("ok", { ...known, type: "pushover", secondaryValue: "device" });
  new NotificationChannel("ok", { ...known, type: "slack", secondaryValue: later.text });
}

export function theTypeIsOneOfTheInterface(): void {
  const all: ChannelType[] = ["email", "discord", "slack", "ms_teams", "pushover", "webhook"];
  for (const type of all) new NotificationChannel("ok", { ...known, type });
  // @ts-expect-error any text may be no type
  new NotificationChannel("no", { ...known, type: later.text });
  // @ts-expect-error the type is required
  new NotificationChannel("no", { ...known });
}

export function aTypeOfRunTimeIsAccepted(channel: NotificationChannel, plain: ChannelType): void {
  for (const type of [atRunTime, later.type, plain, channel.type])
    new NotificationChannel("ok", { ...known, type });

  new NotificationChannel("ok", { ...known, type: atRunTime, secondaryValue: "PUT" });
  const byName: RuntimeTypeChannelArgs = { ...known, type: channel.type, secondaryValue: "PUT" };
  new NotificationChannel("ok", byName);
}

export function theTypeTellsTheArgumentsApart(args: NotificationChannelArgs): unknown {
  if (args.type === "webhook") {
    const method: pulumi.Input<WebhookMethod | null | undefined> | undefined = args.secondaryValue;
    return method;
  }
  // @ts-expect-error of another type it may be any text
  const method: pulumi.Input<WebhookMethod | null | undefined> | undefined = args.secondaryValue;

  return method;
}

export function everyInputMayComeLater(): void {
  new NotificationChannel("ok", {
    domainId: later.text,
    label: later.promise,
    type: "email",
    value: later.maybe,
    secondaryValue: later.promise,
    whoisNotificationsEnabled: later.flag,
    dnsNotificationsEnabled: Promise.resolve(null),
    sslNotificationsEnabled: null,
    lifecycle: Promise.resolve("managed" as const),
  });
}

export function whatIsRequiredMustBeThere(): void {
  const { domainId, label } = known;
  // @ts-expect-error the destination is required, although it may be null
  new NotificationChannel("no", { domainId, label, type: "slack" });
  // @ts-expect-error undefined is no destination
  new NotificationChannel("no", { domainId, label, value: undefined, type: "slack" });
  // @ts-expect-error there are no channels without arguments
  new NotificationChannel("no");
}

export function whatIsNoInputIsRefused(): void {
  // @ts-expect-error an output is no input
  new NotificationChannel("no", { ...known, type: "slack", channelId: "x" });
  // @ts-expect-error there is no such choice
  new NotificationChannel("no", { ...known, type: "slack", lifecycle: "never" });
}

export function argumentsCanBeHandedOn(args: NotificationChannelArgs): NotificationChannel {
  return new NotificationChannel("ok", args, { protect: true });
}

export function argumentsWithoutTheirDomainAreThoseOfAComponent(
  { opts, ...args }: ChannelSpec,
  merged: Omit<NotificationChannelArgs, "domainId">,
): void {
  new NotificationChannel("ok", { ...args, domainId: known.domainId }, opts);
  // @ts-expect-error a webhook could have any text as its method
  new NotificationChannel("no", { ...merged, domainId: known.domainId });
}

export function outputsHaveTheirTypes(channel: NotificationChannel): unknown {
  // @ts-expect-error the destination may be null
  const value: pulumi.Output<string> = channel.value;
  // @ts-expect-error text that changes by itself is no output
  const human: unknown = channel.createdAtHuman;
  // @ts-expect-error what is taken over is no output
  const adopt: unknown = channel.adopt;
  // @ts-expect-error outputs are not to be written
  channel.label = channel.domainId;

  return { value, human, adopt };
}

export function anExistingChannelIsFoundById(something: unknown): void {
  const channel: NotificationChannel = NotificationChannel.get("ok", "id");
  const state = { label: later.text, value: null };
  NotificationChannel.get("ok", channel.id, state, { parent: channel });
  // @ts-expect-error the id is required
  NotificationChannel.get("no");
  // @ts-expect-error there is no such output
  NotificationChannel.get("no", "id", { lable: "x" });
  if (NotificationChannel.isInstance(something)) {
    const label: pulumi.Output<string> = something.label;
    void label;
  }
}
