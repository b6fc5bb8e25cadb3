/**
 * The life of a domain on both engines, and the requests of each step; then on a service that tidies
 * what it is given. How inputs and answers are handled is tested in test/provider.
 */
import {
  Domain,
  DomainAlerts,
  type DomainArgs,
  getDomainOutput,
  NotificationChannel,
} from "../../src";
import { DomainMonitoringClient } from "../../src/client";
import { settingsFor } from "../support/account";
import { useEmulator, useRequests } from "../support/emulator";
import { describeOnEngines, messagesOf, type Outcome } from "../support/engines";
import { startTidyingService } from "../support/tidying-service";

const EXISTING = {
  id: "11111111-1111-4111-8111-111111111111",
  domain: "example.com",
  label: "By hand",
};

const shop: DomainArgs = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

describeOnEngines("the life of a domain", (create) => {
  const service = useEmulator({ lifecycle: "managed", domains: [EXISTING] });
  const takeRequests = useRequests(service);

  function stackOf(program: () => unknown) {
    return create({ program, ...settingsFor(service) });
  }

  /** Expects the changes of an operation and the operations of its requests; returns its messages. */
  async function expectStep(
    operation: Promise<Outcome>,
    expected: Outcome["changes"],
    ...asked: string[]
  ): Promise<string> {
    const { changes, diagnostics } = await operation;
    expect(changes).toEqual(expected);
    expect(takeRequests().sort()).toEqual(asked);
    return messagesOf({ diagnostics }).join("\n");
  }

  const managed = () => service.domains().filter(({ id }) => id !== EXISTING.id);

  it("lives from its create to its removal from the stack", async () => {
    const stack = await stackOf(() => ({ id: new Domain("shop", shop).id }));
    const created = [{ create: 1 }, "createDomain", "listDomains"] as const;
    await expectStep(stack.up(), ...created);
    await expectStep(stack.up(), { same: 1 });
    await expectStep(stack.refresh(), { same: 1 }, "getDomain");

    const declare = (args: DomainArgs) => stack.change(() => void new Domain("shop", args));
    declare({ ...shop, label: "Store", enabledDnsRecords: ["TXT"] });
    await expectStep(stack.up(), { update: 1 }, "updateDomain");

    const [{ id = "" } = {}] = managed();
    service.updateDomain(id, { label: "By hand" });
    await expectStep(stack.refresh(), { update: 1 }, "getDomain");
    await expectStep(stack.up(), { update: 1 }, "updateDomain");
    expect(managed()).toMatchObject([{ label: "Store" }]);

    service.removeDomain(id);
    await expectStep(stack.refresh(), { delete: 1 }, "getDomain", "listDomains");
    await expectStep(stack.up(), ...created);

    declare({ ...shop, domain: "store.example" });
    const [, ...requests] = created;
    const replaced = await expectStep(stack.up(), { replace: 1 }, ...requests);
    expect(replaced).toMatch(/Domain "shop\.example" .* is still monitored/);

    const destroyed = await expectStep(stack.destroy(), { delete: 1 });
    expect(destroyed).toMatch(/Domain "store\.example" .* is still monitored/);

    const names = managed().map(({ domain }) => domain);
    expect(names.sort()).toEqual(["shop.example", "store.example"]);
    expect(service.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
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

    await expectStep(stack.preview(), { create: 3 });

    const created = await stack.up();
    expect(created.outputs).toMatchObject({ expiresAt: { value: null }, label: { value: "Shop" } });
    expect(service.channels(managed()[0]?.id)).toHaveLength(1);

    service.check(managed()[0]?.id ?? "");
    expect((await stack.up()).outputs).toMatchObject({
      expiresAt: { value: expect.stringMatching(/^\d{4}-/) },
    });
  });
});

const key = "pushover-user-key-to-keep-secret";

const untidy: DomainArgs = {
  domain: "Shop.Example",
  label: "Shop",
  description: "  The web shop\n",
  colour: "#AABBCC",
  whoisCheckInterval: "Daily",
  dnsCheckInterval: "WEEKLY",
  enabledDnsRecords: ["MX", "A"],
};

describeOnEngines("a service that tidies what it is given", (create) => {
  const emulator = useEmulator({ lifecycle: "managed", domains: [] });

  const patches = () => emulator.requests.filter(({ method }) => method === "PATCH").length;

  /** A domain with a description, a domain without one, and a channel without an extra value. */
  function program(args: DomainArgs) {
    return () => {
      const shop = new Domain("shop", args);
      const empty = { description: "", colour: " ", whoisCheckInterval: "" };
      new Domain("plain", { domain: "plain.example", ...empty }, { dependsOn: shop });
      new NotificationChannel("pager", {
        domainId: shop.id,
        label: "Pager",
        type: "pushover",
        value: key,
        secondaryValue: "",
        lifecycle: "managed",
      });
    };
  }

  it("shows no difference after any operation, and sends only changes", async () => {
    await using service = await startTidyingService(emulator.url);
    const stack = await create({
      program: program(untidy),
      ...settingsFor({ url: service.url, token: emulator.token }),
      keepsSecret: [key],
    });

    expect(await stack.up()).toMatchObject({ changes: { create: 3 }, diagnostics: [] });

    const client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: emulator.token });
    const [shop, plain] = emulator.domains();
    expect(await client.domains.get(shop?.id ?? "")).toMatchObject({
      description: "The web shop",
      colour: "#aabbcc",
      components: { whois: { checkInterval: "daily" }, dns: { enabledRecords: ["mx", "a"] } },
    });

    expect(await client.domains.get(plain?.id ?? "")).toMatchObject({
      description: null,
      colour: null,
    });

    await client.close();
    expect(emulator.channels()).toMatchObject([{ value: key, secondaryValue: null }]);
    expect(await stack.refresh()).toMatchObject({ changes: { same: 3 }, diagnostics: [] });
    expect(await stack.up()).toMatchObject({ changes: { same: 3 }, diagnostics: [] });
    expect(patches()).toBe(0);

    stack.change(program({ ...untidy, colour: "#DDEEFF" }));
    expect(await stack.up()).toMatchObject({ changes: { update: 1, same: 2 }, diagnostics: [] });
    expect(await stack.refresh()).toMatchObject({ changes: { same: 3 }, diagnostics: [] });
    expect(await stack.up()).toMatchObject({ changes: { same: 3 } });
    expect(patches()).toBe(1);

    emulator.updateDomain(shop?.id ?? "", { description: "By hand" });
    expect(await stack.refresh()).toMatchObject({ changes: { update: 1, same: 2 } });
    expect(await stack.destroy()).toMatchObject({ changes: { delete: 3 }, failed: false });
  });
});
