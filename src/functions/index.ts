/** Every function by name: what a program and the plugin offer. */
export { getDnsChanges, getWhoisChanges } from "./changes";
export { getDomain, getDomains } from "./domains";
export { getNotificationChannels } from "./get-notification-channels";
export { requireDomainExpiry } from "./require-domain-expiry";
