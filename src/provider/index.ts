/**
 * `pulumi-domain-monitoring/provider`: what the engine's dynamic-provider process loads.
 *
 * The providers' texts in every state (`names.ts`) require this module by name, so it is a
 * permanent export and must accept the state of every earlier version. Pulumi is never imported
 * here.
 */
import { withoutCommands } from "../common/text";
import { guard } from "./boundary";
import { notificationChannelProvider } from "./channel";
import { Connection } from "./connection";
import { domainProvider } from "./domain";

// The engine shows this process's standard error as a message of the stack, even in previews.
const warn = (line: string) => process.stderr.write(`warning: ${withoutCommands(line)}\n`);

/** One for all resources of a process, so that they share its limits. */
const connection = new Connection(undefined, warn);

/** The provider of `NotificationChannel`. */
export const channel = guard(notificationChannelProvider(warn, connection));

/** The provider of `Domain`. */
export const domain = guard(domainProvider(warn, connection));
