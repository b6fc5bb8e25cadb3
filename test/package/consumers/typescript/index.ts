import {
  type DomainResult,
  daysUntil,
  getDomain,
  NotificationChannel,
  type NotificationChannelArgs,
} from "pulumi-domain-monitoring";
import { type Domain, DomainMonitoringClient, DomainMonitoringError } from "pulumi-domain-monitoring/client";
import { type ForbidChannelTypesOptions, forbidChannelTypes } from "pulumi-domain-monitoring/policy";
import { channel } from "pulumi-domain-monitoring/provider";
import { type Emulator, type StackResult, startEmulator, TestStack } from "pulumi-domain-monitoring/testing";

const forbidden: ForbidChannelTypesOptions = { types: ["webhook"] };

/** Types that must not have become `any` on their way: each line fails to compile where one has. */
// @ts-expect-error a domain's name is a text
export const notANumber = (domain: Domain | DomainResult): number => domain.domain;
// @ts-expect-error there is no such type of channel
export const notAType: NotificationChannelArgs["type"] = "carrier pigeon";
// @ts-expect-error the id is missing
export const notEnough = () => getDomain({});

async function preview(service: Emulator, domainId: string): Promise<StackResult> {
  const args: NotificationChannelArgs = { domainId, label: "Consumer", type: "email", value: "a@b.example" };
  const stack = await TestStack.create({
    program: () => {
      new NotificationChannel("mail", args);
    },
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": service.token },
  });
  try {
    return await stack.preview();
  } finally {
    await stack.close();
  }
}

async function main(): Promise<void> {
  const service = await startEmulator();
  const client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: service.token });
  const { id, domain } = await client.domains.get("11111111-1111-4111-8111-111111111111");
  const { changes } = await preview(service, id);
  await client.close();
  await service.close();
  const days = daysUntil("2026-01-31", new Date("2026-01-01T00:00:00Z"));
  const policy = forbidChannelTypes(forbidden).name;
  process.stdout.write(JSON.stringify({ domain, days, policy, provider: typeof channel.check, changes }));
}

main().catch((error: unknown) => {
  process.stderr.write(error instanceof DomainMonitoringError ? error.message : String(error));
  process.exitCode = 1;
});
