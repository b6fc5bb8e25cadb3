/**
 * Warns about a channel declared twice in one deployment: usually a copied line, and a lasting mistake, as this package
 * cannot delete channels. Not an error, as the service allows it.
 */
import * as pulumi from "@pulumi/pulumi";
import type { NotificationChannel } from "../notification-channel";
import { currentRun } from "./sdk";

/** Channels of each deployment by their identifying inputs. The engine's connection identifies the deployment. */
const deployments = new WeakMap<object, Map<string, string>>();

/** Records a channel once its inputs are known, and warns if there is already one like it. */
export function warnAboutDuplicate(name: string, channel: NotificationChannel): void {
  const deployment = currentRun();
  if (!deployment) return;
  const seen = deployments.get(deployment) ?? new Map<string, string>();
  deployments.set(deployment, seen);
  const { domainId, type, value, label } = channel;
  // Nested, as `pulumi.all` takes twice the memory: 70 kB for each channel.
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
