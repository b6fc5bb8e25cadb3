/**
 * Uses this package and a generated one in the same program. It compiles in every module system,
 * and runs with mocks for both in test/package/consumers.test.ts.
 */
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import * as monitoring from "pulumi-domain-monitoring";

const id = "11111111-1111-4111-8111-111111111111";

class Site extends pulumi.ComponentResource {
  readonly facts: pulumi.Output<{ domain: string; label: string; status: string; total: number }>;

  constructor(name: string, label: pulumi.Input<string>, opts: pulumi.ComponentResourceOptions) {
    super("example:index:Site", name, { label }, opts);
    const kept = { parent: this, protect: true };
    const days = new random.RandomInteger("days", { min: 1, max: 9 }, kept);
    const desk = { domainId: id, label, type: "email", value: "desk@example.com" } as const;
    const afterDays = { parent: this, dependsOn: days };
    const channel = new monitoring.NotificationChannel("desk", desk, afterDays);
    const { type, value } = channel;
    const copy: monitoring.ChannelSpec = { label: "Copy", type, value };

    const channels = { copy: { ...copy, opts: { protect: true, ignoreChanges: ["label"] } } };
    const expiry = { minimumDays: days.result, mode: "warn" } as const;
    const args = { domainId: channel.domainId, channels, expiry };

    const alerts = new monitoring.DomainAlerts("alerts", args, {
      parent: this,
      dependsOn: [days, channel],
    });

    const { domain } = pulumi.output(monitoring.getDomain({ id }, { parent: this }));
    const after: monitoring.OutputFunctionOptions = { parent: this, dependsOn: alerts };
    const listed = { domainId: alerts.domain.id, limit: 5 };
    const { total } = monitoring.getWhoisChangesOutput(listed, after);
    const rule = { id, minimumDays: days.result };
    const { status } = monitoring.requireDomainExpiryOutput(rule, after);
    this.facts = pulumi.output({ domain, label: channel.label, status, total });
    this.registerOutputs({ facts: this.facts });
  }
}

async function main(): Promise<void> {
  const components = { whois: { lastCheckedAt: null } };
  const domain = { id, domain: "example.com", expiresAt: "2999-12-31", components };
  const changes = { domainId: id, total: 2, truncated: false, changes: [] };
  const answers: Record<string, object> = {
    "domain-monitoring:index:getDomain": domain,
    "domain-monitoring:index:getWhoisChanges": changes,
    "domain-monitoring:index:requireDomainExpiry": { domain: "example.com", status: "ok" },
  };

  const newResource = ({ type, inputs }: pulumi.runtime.MockResourceArgs) => ({
    id: "able-pet",
    state: { ...inputs, result: type.endsWith("RandomPassword") ? "token" : 3 },
  });

  await pulumi.runtime.setMocks({ newResource, call: ({ token }) => answers[token] ?? {} });
  const password = new random.RandomPassword("token", { length: 32 });
  const account = { baseUrl: "https://monitoring.example.com", apiToken: password.result };
  const provider = new monitoring.Provider("account", account);
  const generated = new random.Provider("random");
  const label = new random.RandomPet("label", { length: 2 }, { provider: generated }).id;
  const { facts } = new Site("site", label, { providers: [provider, generated] });
  facts.apply(async (known) => {
    process.stdout.write(JSON.stringify({ ...known, secret: await pulumi.isSecret(facts) }));
  });
}

main();
