/**
 * `pulumi-domain-monitoring/policy`: ready-made policies for packs of `@pulumi/policy`. They are
 * plain objects: `@pulumi/policy` is loaded by the pack, not from here. They see secrets in clear,
 * and no message repeats one.
 */
export type { ChannelType } from "../client/types";
export type { ExpiryOverride } from "../rules/expiry-rule";
export * from "./channel-types";
export * from "./channels";
export type { PolicyOptions } from "./options";
export * from "./recorded-expiry";
