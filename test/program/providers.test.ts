/**
 * Which account a component's rule and channels use: that of the provider which the engine finds
 * for the channels, however the program passes it on.
 */
import * as pulumi from "@pulumi/pulumi";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DomainAlerts, NotificationChannel, Provider } from "../../src";
import { DOMAIN, SLACK_URL } from "../provider/support/channels";
import { settingsFor } from "../support/account";
import { describeOnEngines, messagesOf } from "../support/engines";

const OTHER_TOKEN = "other-token-secret-0123456789";

const site = (name: string, opts: pulumi.ComponentResourceOptions) =>
  new pulumi.ComponentResource("test:index:Site", name, {}, opts);

/** Ways to pass a provider on, by the name of the component that uses it. */
const WAYS: Record<string, (provider: Provider) => pulumi.ComponentResourceOptions> = {
  single: (provider) => ({ provider }),
  list: (provider) => ({ providers: [provider] }),
  "map-by-package": (provider) => ({ providers: { "domain-monitoring": provider } }),
  "map-by-engine": (provider) => ({ providers: { "pulumi-nodejs": provider } }),
  "map-by-any": (provider) => ({ providers: { other: provider } }),
  parent: (provider) => ({
    parent: site("site", { providers: { "domain-monitoring": provider } }),
  }),
  grandparent: (provider) => ({
    parent: site("inner", { parent: site("outer", { providers: { any: provider } }) }),
  }),
};

describeOnEngines("a DomainAlerts with a provider", (create) => {
  it("judges its domain and creates its channels in one account, whichever way it is passed", async () => {
    await using own = await startEmulator();
    await using other = await startEmulator({ token: OTHER_TOKEN });
    const stack = await create({
      ...settingsFor(own),
      keepsSecret: [OTHER_TOKEN, SLACK_URL],
      program: () => {
        const provider = new Provider("other", { baseUrl: other.url, apiToken: OTHER_TOKEN });
        for (const [name, options] of Object.entries(WAYS)) {
          const channels = { ops: { label: name, type: "slack", value: SLACK_URL } } as const;
          new DomainAlerts(name, { domainId: DOMAIN, channels }, options(provider));
        }
      },
    });

    expect(await stack.up()).toMatchObject({ failed: false });
    expect(own.requests).toEqual([]);
    const labels = other.channels().map(({ label }) => label);
    expect(labels.sort()).toEqual(Object.keys(WAYS).sort());
    const lookups = other.requests.filter(({ operation }) => operation === "getDomain");
    expect(lookups).toHaveLength(labels.length);
  });
});

describeOnEngines("a channel with a provider", (create) => {
  const account = { baseUrl: "http://127.0.0.1:9", apiToken: OTHER_TOKEN };

  it.each<[name: string, args: object]>([
    ["baseUrl", { baseUrl: "ftp://other.example" }],
    ["apiToken", { apiToken: "two words" }],
    ["timeoutSeconds", { timeoutSeconds: pulumi.output(0) }],
    ["maxRetries", { maxRetries: 1.5 }],
    ["concurrency", { concurrency: -1 }],
    ["lifecycle", { lifecycle: "forever" }],
  ])("is refused with the argument %s if it cannot be used", async (name, args) => {
    const stack = await create({
      keepsSecret: [OTHER_TOKEN, SLACK_URL],
      program: () => {
        const provider = new Provider("other", { ...account, ...args });
        const ops = { domainId: DOMAIN, label: "Ops", type: "slack", value: SLACK_URL } as const;
        new NotificationChannel("ops", ops, { provider });
      },
    });

    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);
    const messages = messagesOf(outcome).join("\n");
    expect(messages).toMatch(new RegExp(`argument ${name}(:| is not a )`));
    expect(messages).not.toContain("stack config");
  });
});
