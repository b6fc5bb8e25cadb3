/** Every function by name: what a program and the plugin offer. */
export { getDnsChanges } from "./get-dns-changes";
export { getDomain } from "./get-domain";
export { getDomains } from "./get-domains";
export { getNotificationChannels } from "./get-notification-channels";
export { getWhoisChanges } from "./get-whois-changes";
export { requireDomainExpiry } from "./require-domain-expiry";
