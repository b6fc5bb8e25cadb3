/**
 * Types of every entry point but `policy`, which the documentation's blocks compile. It is compiled
 * and not run.
 */
import type * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "domain-monitoring-emulator";
import {
  type ChannelSpec,
  Domain,
  DomainAlerts,
  type DomainResult,
  getDomain,
  getWhoisChanges,
  NotificationChannel,
  type NotificationChannelArgs,
  Provider,
  requireDomainExpiry,
  requireDomainExpiryOutput,
} from "pulumi-domain-monitoring";
import {
  DomainMonitoringClient,
  DomainMonitoringError,
  type Domain as ServedDomain,
} from "pulumi-domain-monitoring/client";
import { channel } from "pulumi-domain-monitoring/provider";
import { type StackResult, TestStack } from "pulumi-offline";

export const check = channel.check;
export const isOurs = (error: unknown): boolean => error instanceof DomainMonitoringError;

export async function preview(program: () => void): Promise<StackResult> {
  const service: Emulator = await startEmulator();
  await using client = new DomainMonitoringClient({
    baseUrl: service.url,
    apiToken: service.token,
  });

  const { domain } = await client.domains.get("11111111-1111-4111-8111-111111111111");

  return (await TestStack.create({ program, config: { domain } })).preview();
}

// Settings that a stack may leave out are undefined, as values and in outputs.
declare const config: pulumi.Config;
declare const later: pulumi.Output<boolean | undefined>;

export function declareWithOptionalSettings(domainId: string): void {
  const ops: ChannelSpec = {
    label: "Ops on-call",
    type: "slack",
    value: null,
    whoisNotificationsEnabled: config.getBoolean("whois"),
    dnsNotificationsEnabled: later,
    secondaryValue: config.getSecret("method"),
    lifecycle: undefined,
    adopt: config.get("adopt"),
    opts: undefined,
  };

  new NotificationChannel("ops", { ...ops, domainId });
  new DomainAlerts("website", { domainId, channels: { ops }, expiry: undefined });
  new Domain("shop", { domain: "shop.example", label: config.get("label"), colour: undefined });

  const provider = new Provider("other", {
    baseUrl: "https://monitoring.example",
    apiToken: config.requireSecret("token"),
    maxRetries: config.getNumber("maxRetries"),
    lifecycle: undefined,
  });

  const warnDays = config.getNumber("warnDays");
  const mode = config.get<"warn">("mode");

  requireDomainExpiryOutput(
    { id: domainId, minimumDays: 30, warnDays, mode, override: undefined },
    { provider, parent: undefined, dependsOn: undefined },
  );

  void requireDomainExpiry({ id: domainId, domain: undefined, minimumDays: 30, warnDays, mode });
  void getWhoisChanges({ domainId, limit: config.getNumber("limit"), since: config.get("since") });
}

// Types that must not have become `any` on their way: each line fails to compile where one has.
// @ts-expect-error a domain's name is a text
export const notANumber = (domain: ServedDomain | DomainResult): number => domain.domain;

// @ts-expect-error there is no such type of channel
export const notAType: NotificationChannelArgs["type"] = "carrier pigeon";

// @ts-expect-error the id is missing
export const notEnough = () => getDomain({});
