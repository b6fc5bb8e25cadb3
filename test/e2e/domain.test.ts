/** The life of a domain on both engines: what is shown, what the service has afterwards, and which requests were made. */
import { Domain, DomainAlerts, type DomainArgs, getDomainOutput } from "../../src";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/testing";
import { describeOnEngines, messagesOf, type Outcome } from "../support/engines";

const EXISTING = { id: "11111111-1111-4111-8111-111111111111", domain: "example.com", label: "By hand" };
const shop: DomainArgs = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

describeOnEngines("the life of a domain", (create) => {
  let service: Emulator;
  let counted: number;
  afterEach(() => service.close());

  async function start(options: EmulatorOptions = {}): Promise<void> {
    service = await startEmulator({ lifecycle: "managed", domains: [EXISTING], ...options });
    counted = 0;
  }

  async function stackOf(program: () => unknown) {
    const stack = await create({
      program,
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0" },
      secrets: { "domain-monitoring:apiToken": service.token },
    });
    const declare = (args: DomainArgs | undefined) =>
      stack.change(() => (args ? { id: new Domain("shop", args).id } : {}));
    return { ...stack, declare };
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

  it("is created, found unchanged, changed, and refreshed", async () => {
    await start();
    const stack = await stackOf(() => ({ id: new Domain("shop", shop).id }));

    expect(await doing(stack.up())).toMatchObject({
      changes: { create: 1 },
      asked: { listDomains: 1, createDomain: 1 },
    });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 }, asked: { getDomain: 1 } });
    const declared: DomainArgs = {
      ...shop,
      label: "Store",
      description: "Ours",
      whoisCheckInterval: "daily",
      enabledDnsRecords: ["TXT"],
    };
    for (const args of [declared, { ...declared, description: null }]) {
      stack.declare(args);
      expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, asked: { updateDomain: 1 } });
    }
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 } });
    const same = { domain: "SHOP.example.", description: null, enabledDnsRecords: ["TXT", "TXT"] };
    stack.declare({ ...declared, ...same });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
    stack.declare({ domain: "shop.example" });
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, asked: {} });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
    service.updateDomain(managed()[0]?.id ?? "", { label: "By hand", description: "By hand" });
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 } });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
  });

  it("is set back after a change by hand, and created again after a removal by hand", async () => {
    await start();
    const stack = await stackOf(() => void new Domain("shop", shop));
    await doing(stack.up());
    const [created] = managed();
    service.updateDomain(created?.id ?? "", { label: "By hand", dns: { enabledRecords: ["MX", "A"] } });

    expect(await doing(stack.refresh())).toMatchObject({ changes: { update: 1 }, asked: { getDomain: 1 } });
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, asked: { updateDomain: 1 } });
    expect(managed()).toMatchObject([{ label: "Shop" }]);
    service.removeDomain(created?.id ?? "");
    expect(await doing(stack.refresh())).toMatchObject({
      changes: { delete: 1 },
      asked: { getDomain: 1, listDomains: 1 },
    });
    expect(await doing(stack.up())).toMatchObject({
      changes: { create: 1 },
      asked: { listDomains: 1, createDomain: 1 },
    });
    expect(managed()).toHaveLength(1);
  });

  it("is replaced for another name, and what is recorded decides what becomes of it", async () => {
    await start();
    const stack = await stackOf(() => void new Domain("shop", { ...shop, deletionPolicy: "delete" }));
    await doing(stack.up());
    stack.declare({ ...shop, domain: "store.example" });

    const replaced = await doing(stack.up());
    expect(replaced).toMatchObject({
      changes: { replace: 1 },
      asked: { listDomains: 1, createDomain: 1, deleteDomain: 1 },
    });
    expect(replaced.warned).toContain(
      "is to be replaced, and then deleted with its history and its channels",
    );
    expect(managed().map(({ domain }) => domain)).toEqual(["store.example"]);

    const destroyed = await doing(stack.destroy());
    expect(destroyed).toMatchObject({ changes: { delete: 1 }, asked: {} });
    expect(destroyed.warned).toMatch(
      /Domain "store\.example" \(id \S+\) is removed from this stack\. It stays in the service and is still monitored/,
    );
    expect(managed()).toHaveLength(1);
  });

  it("is refused if it is monitored already, adopted, and deleted only after it was handed over", async () => {
    await start();
    const site: DomainArgs = { domain: "Example.com.", label: "Website", deletionPolicy: "delete" };
    const stack = await stackOf(() => void new Domain("shop", site));

    expect(await doing(stack.up())).toMatchObject({
      failed: true,
      asked: { listDomains: 1 },
      warned: expect.stringContaining(
        `is monitored already (id ${EXISTING.id}): to take it over, declare adopt: true`,
      ),
    });
    stack.declare({ ...site, adopt: true });
    expect(await doing(stack.up())).toMatchObject({
      changes: { create: 1 },
      asked: { listDomains: 1, updateDomain: 1 },
    });
    expect(service.domains()).toMatchObject([{ id: EXISTING.id, label: "Website" }]);
    stack.declare(undefined);
    expect(await doing(stack.up())).toMatchObject({ changes: { delete: 1 }, asked: {} });
    stack.declare({ ...site, adopt: true });
    expect(await doing(stack.up())).toMatchObject({ changes: { create: 1 }, asked: { listDomains: 1 } });
    stack.declare(site);
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, asked: {} });
    expect(await doing(stack.destroy())).toMatchObject({
      changes: { delete: 1 },
      asked: { deleteDomain: 1 },
    });
    expect(service.domains()).toEqual([]);
  });

  it("is never created twice, whatever becomes of the answer", async () => {
    await start();
    const stack = await stackOf(() => void new Domain("shop", shop));

    service.fault({ operation: "createDomain", reset: "before" });
    expect(await doing(stack.up())).toMatchObject({
      failed: true,
      asked: { listDomains: 2, createDomain: 1 },
      warned: expect.stringContaining(
        "The list of domains does not have it now, so it is not created again in this run",
      ),
    });
    service.fault({ operation: "createDomain", reset: "after" });
    expect(await doing(stack.up())).toMatchObject({
      failed: false,
      asked: { listDomains: 2, createDomain: 1 },
      warned: expect.stringContaining("was created, as the list of domains shows"),
    });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, asked: {} });
    expect(managed()).toHaveLength(1);
  });

  it("is waited for by its channels and by functions, in the preview and before its first check", async () => {
    await start();
    const stack = await stackOf(() => {
      const { id } = new Domain("shop", shop);
      const mail = { label: "Desk", type: "email", value: "desk@example.com" } as const;
      const { expiresAt } = new DomainAlerts("alerts", {
        domainId: id,
        channels: { mail },
        expiry: { minimumDays: 30, onUnknown: "warn" },
      });
      return { expiresAt, label: getDomainOutput({ id }).label };
    });

    expect(await doing(stack.preview())).toMatchObject({ changes: { create: 3 }, asked: {} });
    const created = await stack.up();
    expect(created.outputs).toMatchObject({ expiresAt: { value: null }, label: { value: "Shop" } });
    expect(service.channels(managed()[0]?.id)).toHaveLength(1);
    service.check(managed()[0]?.id ?? "");
    expect((await stack.up()).outputs).toMatchObject({
      expiresAt: { value: expect.stringMatching(/^\d{4}-/) },
    });
  });
});
