/**
 * Types of every entry point but `policy`, which the documentation's blocks compile. It is compiled
 * and not run.
 */

import { type Emulator, startEmulator } from "domain-monitoring-emulator";
import {
  type DomainResult,
  getDomain,
  type NotificationChannelArgs,
} from "pulumi-domain-monitoring";
import {
  type Domain,
  DomainMonitoringClient,
  DomainMonitoringError,
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

// Types that must not have become `any` on their way: each line fails to compile where one has.
// @ts-expect-error a domain's name is a text
export const notANumber = (domain: Domain | DomainResult): number => domain.domain;

// @ts-expect-error there is no such type of channel
export const notAType: NotificationChannelArgs["type"] = "carrier pigeon";

// @ts-expect-error the id is missing
export const notEnough = () => getDomain({});
