/**
 * `pulumi-domain-monitoring/provider`: what the engine's dynamic-provider process loads.
 *
 * The provider's text in every state (`names.ts`) requires this module by name, so it is a permanent export and must
 * accept the state of every earlier version. Pulumi is never imported here.
 */
import { guard } from "./boundary";
import { notificationChannelProvider } from "./notification-channel";

// The engine shows this process's standard error as a message of the stack, in previews too.
const warn = (line: string) => process.stderr.write(`warning: ${line}\n`);

/** The provider of `NotificationChannel`. */
export const channel = guard(notificationChannelProvider(warn));
