/**
 * A service may tidy the values of resources. Afterwards they show no difference and need no
 * request.
 */
import { Domain, type DomainArgs, NotificationChannel } from "../../src";
import { DomainMonitoringClient } from "../../src/client";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines } from "../support/engines";
import type { RewritingService } from "../support/rewriting-service";
import { startTidyingService } from "../support/tidying-service";

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
  let service: RewritingService;

  const emulator = useEmulator({ lifecycle: "managed", domains: [] });

  beforeEach(async () => {
    service = await startTidyingService(emulator.url);
  });

  afterEach(async () => {
    await service.close();
  });

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
