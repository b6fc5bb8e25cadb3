import { DomainMonitoringClient } from "pulumi-domain-monitoring/client";

const client = new DomainMonitoringClient({
  baseUrl: process.env.SERVICE_URL,
  apiToken: process.env.SERVICE_TOKEN,
});
const { domain } = await client.domains.get("11111111-1111-4111-8111-111111111111");
await client.close();
process.stdout.write(domain);
