/**
 * The same channel declared twice in one deployment: nearly always a copied line, and with channels that this package cannot
 * delete a mistake that stays. It is warned about and not refused, as the service allows it.
 */
import * as pulumi from "@pulumi/pulumi";
import type { NotificationChannel } from "../notification-channel";

/** Channels of each deployment by what makes them alike. The engine's connection stands for the deployment. */
const deployments = new WeakMap<object, Map<string, string>>();

/** Notes a channel as soon as its inputs are known, and warns where another one is the same. */
export function warnAboutDuplicate(name: string, channel: NotificationChannel): void {
  const deployment: unknown = pulumi.runtime.getMonitor();
  if (typeof deployment !== "object" || deployment === null) return;
  const seen = deployments.get(deployment) ?? new Map<string, string>();
  deployments.set(deployment, seen);
  const { domainId, type, value, label } = channel;
  // Nested rather than `pulumi.all`, which takes twice the memory: 70 kB for each channel.
  domainId.apply((d) =>
    type.apply((t) => label.apply((l) => value.apply((v) => note(JSON.stringify([d, t, v, l]))))),
  );

  function note(key: string): void {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, name);
    else
      pulumi.log.warn(
        `declares the same channel as ${JSON.stringify(first)}: remove one of them, or tell them apart by their label`,
        channel,
      );
  }
}
