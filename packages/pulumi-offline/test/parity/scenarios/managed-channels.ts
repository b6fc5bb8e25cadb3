/**
 * This package's own resource where the service can do more than create: what it asks and what it
 * says, on both engines.
 */
import type * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, type NotificationChannelArgs } from "../../../../../src";
import type { Emulator } from "../../../../domain-monitoring-emulator/src";
import type { Place, Scenario } from "../scenario";

type Args = Partial<Omit<NotificationChannelArgs, "type">> & { type?: "email" | "slack" };

const serviceToken = "token-to-keep-secret";

/** A channel whose label is its name unless another is given. */
function channel(name: string, args: Args = {}, options?: pulumi.CustomResourceOptions) {
  const common = {
    domainId: "monitored",
    label: name,
    type: "email",
    value: `${name}@example.com`,
  } as const;

  return new NotificationChannel(name, { ...common, lifecycle: "managed", ...args }, options);
}

const createOnly = { lifecycle: "create-only" } as const;

/**
 * Channels of which two get other arguments than they had, and one leaves; the first two of that
 * lifecycle.
 */
function moved(lifecycle: Args): void {
  channel("stays", lifecycle);
  channel("renamed", { label: "renamed, too", ...lifecycle });
  channel("retyped-later", { type: "slack", value: "https://hooks.example/retyped-later" });
}

/** Channels of which some get other arguments, and a probe that shows what of one is known. */
function changing({ probe }: Place, args: { edited?: Args; retyped?: Args; moved?: Args }) {
  const edited = channel("edited", args.edited);
  channel("drifted");
  channel("ignored", {}, { ignoreChanges: ["label"] });
  channel("retyped", args.retyped);
  channel("moved", args.moved);
  probe("after", { value: edited.typeHuman }, { dependsOn: channel("removed") });

  return { id: edited.id, edited: edited.label };
}

const ADOPTED = "33333333-3333-4333-8333-333333333333";
const REFERRED = "44444444-4444-4444-8444-444444444444";

/**
 * A channel that was there before, with its former name, and one whose domain is not known before.
 */
function adopted(name: string, args: Args = { adopt: ADOPTED }) {
  const taken = channel(name, { label: "adopted", ...args }, { aliases: [{ name: "adopted" }] });

  return refer(
    REFERRED,
    taken.channelId.apply(() => "monitored"),
  );
}

function refer(id: string, domainId: pulumi.Input<string>) {
  return {
    label: NotificationChannel.get("referred", id, { domainId, lifecycle: "managed" }).label,
  };
}

/** The channel with this label. */
function labelled(service: Emulator, label: string): string {
  const found = service.channels().find((channel) => channel.label === label);
  if (found === undefined) throw new Error(`the service has no channel ${label}`);

  return found.id;
}

export const managedChannels: Scenario[] = [
  {
    name: "managed channels: created, taken over and handed over, changed, drifted, removed by hand, replaced, and deleted",
    serviceToken,
    steps: [
      [
        "preview",
        (place) => {
          for (const name of ["stays", "renamed", "retyped-later", "leaves"])
            channel(name, createOnly);

          return { ...changing(place, { moved: createOnly }), ...adopted("adopted") };
        },
        (service) => {
          service.addChannel("monitored", { id: ADOPTED, label: "by hand" });
          service.addChannel("monitored", { id: REFERRED, label: "another team's" });
        },
      ],
      ["up"],
      // The inputs of the probe show an update's outputs in a preview.
      [
        "preview",
        (place) => {
          moved({});
          const edited = { label: "edited again", dnsNotificationsEnabled: false };
          const retyped = { type: "slack", value: "https://hooks.example/retyped" } as const;

          return { ...changing(place, { edited, retyped }), ...adopted("under-another-name") };
        },
      ],
      ["up"],
      [
        "refresh",
        undefined,
        (service) => {
          service.updateChannel(labelled(service, "drifted"), { label: "by hand", type: "slack" });
          service.updateChannel(labelled(service, "ignored"), { label: "by hand, too" });
          service.updateChannel(ADOPTED, { isDisabled: true, disabledReason: "bounced" });
          service.removeChannel(labelled(service, "removed"));
        },
      ],
      [
        "up",
        (place) => {
          moved(createOnly);

          return {
            ...changing(place, { moved: createOnly }),
            ...adopted("under-another-name", {}),
          };
        },
      ],
      ["destroy"],
      ["preview", () => refer(ADOPTED, "monitored")],
    ],
  },
  {
    name: "managed channels: what is not confirmed, refused, or no longer there",
    serviceToken,
    steps: [
      [
        "up",
        () => {
          channel("one");
          channel("moved", { lifecycle: "create-only" });
        },
      ],
      [
        "up",
        () => {
          channel("one", { value: "other@example.com" });
          channel("moved", { lifecycle: "create-only" });
        },
        (service) => service.fault({ operation: "updateNotificationChannel", reset: "after" }),
      ],
      // Reading clears the failure, and the program is reverted: the update must come all the same.
      ["refresh"],
      [
        "up",
        () => {
          channel("one");
          channel("moved", { lifecycle: "create-only" });
        },
      ],
      [
        "up",
        () => {
          channel("one", { type: "slack", value: "https://hooks.example/one" });
          channel("moved", { lifecycle: "create-only" });
        },
        (service) => service.updateChannel(labelled(service, "one"), { isProtected: true }),
      ],
      [
        "up",
        undefined,
        (service) => {
          for (const { id } of service.channels())
            service.updateChannel(id, { isProtected: false });
        },
      ],
      // The mode is recorded although the update fails, or the refresh would not ask.
      [
        "up",
        () => {
          channel("one", { type: "slack", value: "https://hooks.example/one" });
          channel("moved");
        },
        (service) => service.removeChannel(labelled(service, "moved")),
      ],
      ["refresh"],
    ],
  },
];
