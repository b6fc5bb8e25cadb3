/**
 * Programs under `pulumi.runtime.setMocks`, as their authors test them: without a service and
 * without settings.
 */
import * as pulumi from "@pulumi/pulumi";
import {
  DomainAlerts,
  evaluateDomainExpiry,
  getDomain,
  getDomainOutput,
  getWhoisChanges,
  NotificationChannel,
  Provider,
  requireDomainExpiry,
} from "../../src";
import { failureOf } from "../support/failure";
import { idle, knownValue } from "./support/in-process";

const id = "44444444-4444-4444-8444-444444444444";
const mail = { domainId: id, label: "Desk", type: "email", value: "desk@example.com" } as const;

describe("under the SDK's mocks", () => {
  let calls: pulumi.runtime.MockCallArgs[];

  beforeEach(async () => {
    calls = [];
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
      call: (args) => {
        calls.push(args);
        return { domain: "mocked.example", expiresAt: "2999-12-31", total: 0, changes: [] };
      },
    });
  });

  afterEach(idle);

  it("functions ask the mocks, by the tokens of the plugin", async () => {
    expect(await getDomain({ id })).toMatchObject({ domain: "mocked.example" });
    expect(await getWhoisChanges({ domainId: id, limit: 5 })).toMatchObject({ total: 0 });
    expect(await requireDomainExpiry({ id, minimumDays: 30 })).toMatchObject({
      expiresAt: "2999-12-31",
    });

    const { domainId } = new NotificationChannel("desk", mail);
    expect(await knownValue(getDomainOutput({ id: domainId }).domain)).toBe("mocked.example");
    expect(calls.map(({ token, inputs }) => [token, inputs])).toEqual([
      ["domain-monitoring:index:getDomain", { id }],
      ["domain-monitoring:index:getWhoisChanges", { domainId: id, limit: 5 }],
      ["domain-monitoring:index:requireDomainExpiry", { id, minimumDays: 30 }],
      ["domain-monitoring:index:getDomain", { id }],
    ]);
  });

  it("functions tell the mocks which provider they are to use", async () => {
    const provider = new Provider("other", { baseUrl: "https://other.example", apiToken: "other" });
    await getDomain({ id }, { provider });
    const options = { providers: [provider] };
    const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, options);
    await getDomain({ id }, { parent });
    for (const { provider: used } of calls) expect(used).toContain("::other::other-id");

    expect(calls).toHaveLength(2);
  });

  it("a component's domain and expiry are those of the mocks", async () => {
    const { expiresAt } = new DomainAlerts("website", { domainId: id, channels: { desk: mail } });
    expect(await knownValue(expiresAt)).toBe("2999-12-31");
  });

  it.each<[string, object, object]>([
    ["expiresAt", {}, {}],
    ["components.whois.lastCheckedAt", { expiresAt: "2999-12-31" }, {}],
    [
      "components.ssl",
      { expiresAt: null, components: { whois: { lastCheckedAt: null } } },
      { certificateDays: 7 },
    ],
  ])("a rule names the mocked function and %s if that is lacking", async (field, answer, rule) => {
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
      call: ({ inputs }) => ({ ...inputs, ...answer }),
    });

    const expiry = { minimumDays: 30, ...rule };
    const line = `the domain has no ${field}, and the rule needs it: return it from your mocks of domain-monitoring:index:getDomain`;

    const error = await failureOf(
      getDomain({ id }).then((domain) => evaluateDomainExpiry(domain, expiry)),
    );

    expect(error).toMatchObject({ kind: "validation", message: line });
  });

  it("a channel has its id, and the flags that the service sets by default", async () => {
    const channel = new NotificationChannel("desk", { ...mail, dnsNotificationsEnabled: false });
    const ids = ["whoisNotificationsEnabled", "dnsNotificationsEnabled", "sslNotificationsEnabled"];
    const flags = await Promise.all(ids.map((name) => knownValue(Reflect.get(channel, name))));

    expect(await knownValue(channel.channelId)).toBe("desk-id");
    expect(flags).toEqual([true, false, true]);
  });

  it("a channel with the option `import` is refused with one line that names the two other ways", () => {
    expect(() => new NotificationChannel("desk", mail, { import: "channel-1" })).toThrow(
      'channel "desk" has the option import, which the engine refuses for a dynamic resource: ' +
        'declare adopt: "channel-1" with lifecycle "managed" instead, or use the provider plugin',
    );
  });
});
