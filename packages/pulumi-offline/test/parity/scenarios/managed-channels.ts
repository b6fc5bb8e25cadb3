/**
 * This package's own resource where the service can do more than create: what it asks and what it
 * says, on both engines.
 */
import type * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, type NotificationChannelArgs } from "../../../../../src";
import type { Emulator } from "../../../../domain-monitoring-emulator/src";
import {
  after,
  destroy,
  type Place,
  type Program,
  preview,
  refresh,
  type Scenario,
  scenariosOf,
  up,
} from "../scenario";

type Args = Partial<Omit<NotificationChannelArgs, "type">> & { type?: "email" | "slack" };

const serviceToken = "token-to-keep-secret";

/** A channel whose label is its name unless another is given. */
function channel(name: string, args: Args = {}, options?: pulumi.CustomResourceOptions) {
  const address = { type: "email", value: `${name}@example.com` } as const;
  const common = { domainId: "monitored", label: name, lifecycle: "managed", ...address } as const;
  return new NotificationChannel(name, { ...common, ...args }, options);
}

const createOnly = { lifecycle: "create-only" } as const;

/** Channels of which two get other arguments than they had; the first two of that lifecycle. */
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
  const domainId = taken.channelId.apply(() => "monitored");
  return refer(REFERRED, domainId);
}

function refer(id: string, domainId: pulumi.Input<string>) {
  const { label } = NotificationChannel.get("referred", id, { domainId, lifecycle: "managed" });
  return { label };
}

/** The channel with this label. */
function labelled(service: Emulator, label: string): string {
  const found = service.channels().find((channel) => channel.label === label);
  if (found === undefined) throw new Error(`the service has no channel ${label}`);
  return found.id;
}

/** Two channels, of which the second is create-only unless something else is said. */
function two(ofOne: Args = {}, ofMoved: Args = createOnly): Program {
  return () => {
    channel("one", ofOne);
    channel("moved", ofMoved);
  };
}

const retyped: Args = { type: "slack", value: "https://hooks.example/one" };

const protectAll = (isProtected: boolean) => (service: Emulator) => {
  for (const { id } of service.channels()) service.updateChannel(id, { isProtected });
};

export const managedChannels: Scenario[] = scenariosOf({
  "managed channels: created, taken over and handed over, changed, drifted, removed by hand, replaced, and deleted":
    {
      serviceToken,
      steps: [
        after(
          (service) => {
            service.addChannel("monitored", { id: ADOPTED, label: "by hand" });
            service.addChannel("monitored", { id: REFERRED, label: "another team's" });
          },
          preview((place) => {
            for (const name of ["stays", "renamed", "retyped-later", "leaves"])
              channel(name, createOnly);

            return { ...changing(place, { moved: createOnly }), ...adopted("adopted") };
          }),
        ),
        up(),
        // The inputs of the probe show an update's outputs in a preview.
        preview((place) => {
          moved({});
          const edited = { label: "edited again", dnsNotificationsEnabled: false };
          const retyped = { type: "slack", value: "https://hooks.example/retyped" } as const;
          return { ...changing(place, { edited, retyped }), ...adopted("under-another-name") };
        }),
        up(),
        after((service) => {
          service.updateChannel(labelled(service, "drifted"), { label: "by hand", type: "slack" });
          service.updateChannel(labelled(service, "ignored"), { label: "by hand, too" });
          service.updateChannel(ADOPTED, { isDisabled: true, disabledReason: "bounced" });
          service.removeChannel(labelled(service, "removed"));
        }, refresh()),
        up((place) => {
          moved(createOnly);
          return {
            ...changing(place, { moved: createOnly }),
            ...adopted("under-another-name", {}),
          };
        }),
        destroy(),
        preview(() => refer(ADOPTED, "monitored")),
      ],
    },
  "managed channels: what is not confirmed, refused, or no longer there": {
    serviceToken,
    steps: [
      up(two()),
      after(
        (service) => service.fault({ operation: "updateNotificationChannel", reset: "after" }),
        up(two({ value: "other@example.com" })),
      ),
      // Reading clears the failure, and the program is reverted: the update must come all the same.
      refresh(),
      up(two()),
      after(protectAll(true), up(two(retyped))),
      after(protectAll(false), up()),
      // The mode is recorded although the update fails, or the refresh would not ask.
      after((service) => service.removeChannel(labelled(service, "moved")), up(two(retyped, {}))),
      refresh(),
    ],
  },
});
