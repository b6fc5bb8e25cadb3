/**
 * The life of a domain on both engines, and the requests of each step. How inputs and answers are
 * handled is tested in test/provider.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { Domain, DomainAlerts, type DomainArgs, getDomainOutput } from "../../src";
import { settingsFor } from "../support/account";
import { describeOnEngines, messagesOf, type Outcome } from "../support/engines";

const EXISTING = {
  id: "11111111-1111-4111-8111-111111111111",
  domain: "example.com",
  label: "By hand",
};

const shop: DomainArgs = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

describeOnEngines("the life of a domain", (create) => {
  let service: Emulator;
  let counted: number;
  beforeEach(async () => {
    service = await startEmulator({ lifecycle: "managed", domains: [EXISTING] });
    counted = 0;
  });

  afterEach(() => service.close());

  function stackOf(program: () => unknown) {
    return create({ program, ...settingsFor(service) });
  }

  /** Waits for an operation; returns its changes and the operations of its requests. */
  async function doing(operation: Promise<Outcome>) {
    const { changes, diagnostics } = await operation;
    const requests = service.requests
      .slice(counted)
      .map(({ operation: name, method }) => name ?? method)
      .sort();

    counted = service.requests.length;

    return { changes, requests, messages: messagesOf({ diagnostics }).join("\n") };
  }

  const managed = () => service.domains().filter(({ id }) => id !== EXISTING.id);

  it("lives from its create to its removal from the stack", async () => {
    const stack = await stackOf(() => ({ id: new Domain("shop", shop).id }));
    const created = { changes: { create: 1 }, requests: ["createDomain", "listDomains"] };

    expect(await doing(stack.up())).toMatchObject(created);
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, requests: [] });
    expect(await doing(stack.refresh())).toMatchObject({
      changes: { same: 1 },
      requests: ["getDomain"],
    });

    const changed = { ...shop, label: "Store", enabledDnsRecords: ["TXT"] };

    const declare = (args: DomainArgs) => stack.change(() => void new Domain("shop", args));
    declare(changed);
    expect(await doing(stack.up())).toMatchObject({
      changes: { update: 1 },
      requests: ["updateDomain"],
    });

    const [{ id = "" } = {}] = managed();
    service.updateDomain(id, { label: "By hand" });
    expect(await doing(stack.refresh())).toMatchObject({
      changes: { update: 1 },
      requests: ["getDomain"],
    });

    expect(await doing(stack.up())).toMatchObject({
      changes: { update: 1 },
      requests: ["updateDomain"],
    });
    expect(managed()).toMatchObject([{ label: "Store" }]);

    service.removeDomain(id);
    expect(await doing(stack.refresh())).toMatchObject({
      changes: { delete: 1 },
      requests: ["getDomain", "listDomains"],
    });
    expect(await doing(stack.up())).toMatchObject(created);

    declare({ ...shop, domain: "store.example" });
    expect(await doing(stack.up())).toMatchObject({
      changes: { replace: 1 },
      requests: created.requests,
      messages: expect.stringMatching(/Domain "shop\.example" .* is still monitored/),
    });

    expect(await doing(stack.destroy())).toMatchObject({
      changes: { delete: 1 },
      requests: [],
      messages: expect.stringMatching(/Domain "store\.example" .* is still monitored/),
    });

    expect(
      managed()
        .map(({ domain }) => domain)
        .sort(),
    ).toEqual(["shop.example", "store.example"]);
    expect(service.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  it("takes over what the account monitors, and what differs is set", async () => {
    const stack = await stackOf(() => void new Domain("site", { ...shop, domain: "example.com" }));
    expect(await doing(stack.up())).toMatchObject({
      changes: { create: 1 },
      requests: ["listDomains", "updateDomain"],
      messages: expect.stringContaining("is monitored already, so it is taken over"),
    });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, requests: [] });
    expect(service.domains()).toMatchObject([{ id: EXISTING.id, label: "Shop" }]);
  });

  it("follows a domain that was removed and added again by hand", async () => {
    const stack = await stackOf(() => void new Domain("shop", shop));
    await stack.up();
    service.removeDomain(managed()[0]?.id ?? "");
    const id = service.addDomain({ domain: "shop.example", label: "Shop" });
    service.updateDomain(id, { dns: { enabledRecords: ["A", "MX"] } });
    const refreshed = await stack.refresh();

    expect(messagesOf(refreshed).join("\n")).toContain(`Domain ${id}: that one is recorded`);
    expect(await stack.state()).toMatchObject([{ id }]);
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, failed: false });
    expect(managed()).toHaveLength(1);
  });

  it("is waited for by its channels and by functions, in the preview and before its first check", async () => {
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

    expect(await doing(stack.preview())).toMatchObject({ changes: { create: 3 }, requests: [] });

    const created = await stack.up();
    expect(created.outputs).toMatchObject({ expiresAt: { value: null }, label: { value: "Shop" } });
    expect(service.channels(managed()[0]?.id)).toHaveLength(1);

    service.check(managed()[0]?.id ?? "");
    expect((await stack.up()).outputs).toMatchObject({
      expiresAt: { value: expect.stringMatching(/^\d{4}-/) },
    });
  });
});
