/** The life of a domain on both engines: what is shown, what the service has afterwards, and which requests were made. */
import type * as pulumi from "@pulumi/pulumi";
import { Domain, DomainAlerts, type DomainArgs } from "../../src";
import { type Emulator, type EmulatorOptions, type FaultRule, startEmulator } from "../../src/testing";
import { describeOnEngines, messagesOf, type Outcome } from "../support/engines";

const EXISTING = { id: "11111111-1111-4111-8111-111111111111", domain: "example.com", label: "By hand" };
const shop: DomainArgs = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

describeOnEngines("the life of a domain", (create, engine) => {
  let service: Emulator;
  let counted: number;
  afterEach(() => service.close());

  async function start(options: EmulatorOptions = {}): Promise<void> {
    service = await startEmulator({ lifecycle: "managed", domains: [EXISTING], ...options });
    counted = 0;
  }

  /** A stack whose program can be changed between operations. */
  async function stackOf(program: () => unknown, config: Record<string, string> = {}) {
    const current = { program };
    const stack = await create({
      program: () => current.program(),
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0", ...config },
      secrets: { "domain-monitoring:apiToken": service.token },
    });
    const declare = (args: DomainArgs | undefined, opts?: pulumi.CustomResourceOptions) => {
      current.program = () => (args ? { id: new Domain("shop", args, opts).id } : {});
    };
    return Object.assign(stack, { declare, change: (next: () => unknown) => (current.program = next) });
  }

  /** What an operation did, and the requests that it made by operation. */
  async function doing(operation: Promise<Outcome>) {
    const { changes, failed, diagnostics } = await operation;
    const asked: Record<string, number> = {};
    for (const { operation: name, method } of service.requests.slice(counted))
      asked[name ?? method] = (asked[name ?? method] ?? 0) + 1;
    counted = service.requests.length;
    return { changes, failed, asked, warned: messagesOf({ diagnostics }).join("\n") };
  }

  const managed = () => service.domains().filter(({ id }) => id !== EXISTING.id);

  it("is created, found unchanged, changed input by input, and refreshed", async () => {
    await start();
    const stack = await stackOf(() => ({ id: new Domain("shop", shop).id }));

    expect(await doing(stack.up())).toMatchObject({
      changes: { create: 1 },
      asked: { listDomains: 1, createDomain: 1 },
    });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 }, asked: { getDomain: 1 } });
    const changes: Partial<DomainArgs>[] = [
      { label: "Store" },
      { description: "Ours" },
      { description: null },
      { colour: "#123456" },
      { whoisCheckInterval: "daily" },
      { dnsCheckInterval: "hourly" },
      { enabledDnsRecords: ["TXT"] },
    ];
    let declared = shop;
    for (const change of changes) {
      declared = { ...declared, ...change };
      stack.declare(declared);
      expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, asked: { updateDomain: 1 } });
    }
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 } });
    stack.declare({ ...declared, domain: "SHOP.example.", enabledDnsRecords: ["TXT", "TXT"] });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
    stack.declare({ domain: "shop.example" });
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, asked: {} });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
    service.updateDomain(managed()[0]?.id ?? "", { label: "By hand", description: "By hand" });
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 } });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
  });
  void engine;
  void DomainAlerts;
  void ({} as FaultRule);
});
