"use strict";
const { daysUntil, NotificationChannel } = require("pulumi-domain-monitoring");
const { DomainMonitoringClient } = require("pulumi-domain-monitoring/client");
const { forbidChannelTypes } = require("pulumi-domain-monitoring/policy");
const { channel } = require("pulumi-domain-monitoring/provider");
const { startEmulator, TestStack } = require("pulumi-domain-monitoring/testing");

async function main() {
  const service = await startEmulator();
  const client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: service.token });
  const { id, domain } = await client.domains.get("11111111-1111-4111-8111-111111111111");
  const stack = await TestStack.create({
    program: () => {
      new NotificationChannel("mail", {
        domainId: id,
        label: "Consumer",
        type: "email",
        value: "a@b.example",
      });
    },
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": service.token },
  });
  const { changes } = await stack.preview();
  await stack.close();
  await client.close();
  await service.close();
  const days = daysUntil("2026-01-31", new Date("2026-01-01T00:00:00Z"));
  const policy = forbidChannelTypes({ types: ["webhook"] }).name;
  process.stdout.write(JSON.stringify({ domain, days, policy, provider: typeof channel.check, changes }));
}

main();
