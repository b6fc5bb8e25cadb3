/**
 * The component as teams use it, on the offline engine and a local service: no account, no network,
 * no `pulumi` command.
 */
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "domain-monitoring-emulator";
import { Provider } from "pulumi-domain-monitoring";
import { TestStack } from "pulumi-offline";
import { TeamDomain, type TeamDomainArgs } from ".";

const chatUrl = "https://chat.example.com/a-secret-path";
const incidentUrl = "https://incidents.example.com/a-secret-path";
const desk = "registrar-desk@acme.example";

/** A team's program in the stack `prod`. */
function stackOn(service: Emulator, program: () => TeamDomain) {
  return TestStack.create({
    program: async () => {
      const { channelIds, expiresAt } = program();
      return { channelIds, expiresAt };
    },
    stack: "prod",
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": service.token, "acme-platform:registrarDesk": desk },
  });
}

const shop = (
  args: Partial<TeamDomainArgs> & { domainId: string },
  opts?: pulumi.ComponentResourceOptions,
) => new TeamDomain("shop", { team: "payments", chatUrl, ...args } as TeamDomainArgs, opts);

/** The date in the given number of days. */
const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("a team's domain", () => {
  test("has the channels of the platform, once, and keeps them as they are", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain({ expiresAt: inDays(90) });
    const args = { domainId, tier: "critical" as const, incidentUrl };
    await using stack = await stackOn(service, () => shop(args));

    const { changes, outputs, resources } = await stack.up();
    // Two components and three channels.
    expect(changes).toEqual({ create: 5 });
    await stack.up({ expectNoChanges: true });

    // They are created in parallel, in any order.
    const channels = service.channels(domainId).sort((a, b) => a.label.localeCompare(b.label));
    expect(channels).toMatchObject([
      { label: "payments: shop in prod, chat", type: "slack", value: chatUrl },
      { label: "payments: shop in prod, incidents", type: "webhook", value: incidentUrl },
      {
        label: "payments: shop in prod, registrar desk",
        type: "email",
        value: desk,
        whoisNotificationsEnabled: true,
        dnsNotificationsEnabled: false,
        sslNotificationsEnabled: false,
      },
    ]);
    expect(Object.keys(outputs.channelIds?.value as object)).toEqual([
      "chat",
      "incident",
      "registrar",
    ]);
    // Inputs of a component would be recorded in plain text.
    for (const { type, inputs } of resources)
      if (/TeamDomain|DomainAlerts/.test(type))
        expect(JSON.stringify(inputs)).not.toContain("example");

    // A change would leave the old channel behind, and every incident would be opened twice.
    args.incidentUrl = "https://incidents.example.com/another-path";
    await expect(stack.preview()).rejects.toThrow(/protect/);
  });

  test("can have additional channels, but not replace those of the platform", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain();
    const own = {
      type: "discord",
      label: "Payments, night",
      value: "https://discord.example.com/path",
    } as const;
    await using stack = await stackOn(service, () => shop({ domainId, channels: { night: own } }));
    const { steps } = await stack.preview();
    expect(steps.map(({ name }) => name)).toContain("shop-night");

    await using taken = await stackOn(service, () => shop({ domainId, channels: { chat: own } }));
    await expect(taken.preview()).rejects.toThrow('the channel "chat" of shop is the platform\'s');
  });

  test("that expires in 20 days is warned about, as a standard one", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain({ domain: "shop.example", expiresAt: inDays(20) });
    await using stack = await stackOn(service, () => shop({ domainId }));
    const { diagnostics } = await stack.preview();
    expect(diagnostics).toMatchObject([{ severity: "warning" }]);
    expect(diagnostics[0]?.message).toMatch(/shop\.example expires .* 30 required/);
  });

  // An error inside an output needs a program in a separate process: in this one it would fail the
  // test.
  test("that expires in 45 days fails a critical one, before there is a channel", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain({ domain: "shop.example", expiresAt: inDays(45) });
    await using stack = await TestStack.create({
      workDir: path.join(__dirname, "program"),
      config: { domainId, "domain-monitoring:baseUrl": service.url },
      secrets: {
        "domain-monitoring:apiToken": service.token,
        "acme-platform:registrarDesk": desk,
        chatUrl,
        incidentUrl,
      },
      env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    });
    await expect(stack.up()).rejects.toThrow(/shop\.example expires .* 60 required/);
    expect(service.channels()).toEqual([]);
  });

  test("can be of another account", async () => {
    await using service = await startEmulator();
    await using other = await startEmulator({ token: "the-other-token" });
    const domainId = other.addDomain();
    await using stack = await stackOn(service, () => {
      const provider = new Provider("other", {
        baseUrl: other.url,
        apiToken: pulumi.secret(other.token),
      });
      return shop({ domainId }, { providers: [provider] });
    });
    await stack.up();
    expect([service.channels().length, other.channels().length]).toEqual([0, 2]);
  });
});
