import { createRequire } from "node:module";
import { startEmulator } from "domain-monitoring-emulator";
import {
  daysUntil,
  getDnsChangesOutput,
  getDomain,
  NotificationChannel,
  Provider,
} from "pulumi-domain-monitoring";
import {
  DomainMonitoringClient,
  DomainMonitoringError,
  toInstant,
} from "pulumi-domain-monitoring/client";
import { channel } from "pulumi-domain-monitoring/provider";
import { TestStack } from "pulumi-offline";

// Exports that are not used below must also exist.
for (const found of [getDnsChangesOutput, getDomain, Provider, DomainMonitoringError, toInstant])
  if (typeof found !== "function") throw new Error("an export is missing");

const require = createRequire(import.meta.url);
const entries = ["", "/client", "/provider"].map((entry) => `pulumi-domain-monitoring${entry}`);
const names = [...entries, "domain-monitoring-emulator"];
const withoutExports = names.filter((name) => Object.keys(require(name)).length === 0);

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
  const { changes } = await stack.up();
  const channels = service.channels().map(({ label }) => label);
  await stack.close();
  await client.close();
  await service.close();
  const days = daysUntil("2026-01-31", new Date("2026-01-01T00:00:00Z"));
  const provider = typeof channel.check;
  process.stdout.write(
    JSON.stringify({ domain, days, provider, changes, channels, withoutExports }),
  );
}

await main();
