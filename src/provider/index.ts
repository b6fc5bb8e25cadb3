/**
 * `pulumi-domain-monitoring/provider`: what the engine's dynamic-provider process loads.
 *
 * The text in every state (`names.ts`) requires this module by name, so it is a permanent export, and
 * the code here must accept the state that every earlier version has written. Pulumi is never imported here.
 */
import { guard } from "./boundary";
import { notificationChannelProvider } from "./notification-channel";

// What this process writes to standard error is shown by the engine as a message of the stack, in a preview too.
const warn = (line: string) => process.stderr.write(`warning: ${line}\n`);

/** The provider of `NotificationChannel`. */
export const channel = guard(notificationChannelProvider(warn));
