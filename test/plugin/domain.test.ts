/**
 * A domain's calls, and whole programs with domains on the real engine, with the requests that each
 * step costs.
 */
import * as pulumi from "@pulumi/pulumi";
import { Domain as DynamicDomain } from "../../src";
import { DOMAIN } from "../provider/support/channels";
import { settingsFor } from "../support/account";
import { useEmulator, useRequests } from "../support/emulator";
import { describeOnRealEngine, messagesOf, type Outcome } from "../support/engines";
import { PLUGIN_DIRECTORY, secret, usePlugin } from "./support/plugin-process";

const BY_HAND = { id: DOMAIN, domain: "example.com", label: "By hand" };

const TYPE = "domain-monitoring:index:Domain";
const CHANNEL_TYPE = "domain-monitoring:index:NotificationChannel";
const shop = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

/** Like a generated SDK's class, with the schema's alias. */
class Domain extends pulumi.CustomResource {
  declare readonly domainId: pulumi.Output<string>;
  constructor(name: string, args: pulumi.Inputs, opts: pulumi.CustomResourceOptions = {}) {
    const aliases = [{ type: "pulumi-nodejs:dynamic/domain-monitoring:Domain" }];
    super(TYPE, name, { domainId: undefined, ...args }, pulumi.mergeOptions(opts, { aliases }));
  }
}

class Channel extends pulumi.CustomResource {}

describe("a domain's calls", () => {
  const { plugin } = usePlugin({ urn: `urn:pulumi:test::test::${TYPE}::shop` });

  it("take a secret label, and keep it secret", async () => {
    const hidden = { ...shop, label: secret("Kept secret") };
    expect(await plugin.check(hidden)).toEqual({ inputs: hidden, failures: [] });
  });
});

describeOnRealEngine("a program with domains of the plugin", (create) => {
  const service = useEmulator({ lifecycle: "managed", domains: [BY_HAND] });
  const takeRequests = useRequests(service);

  function start(program: () => unknown) {
    return create({ plugin: PLUGIN_DIRECTORY, ...settingsFor(service), program });
  }

  async function doing(operation: Promise<Outcome>) {
    const { changes, failed, diagnostics } = await operation;
    const messages = messagesOf({ diagnostics }).join("\n");
    return { changes, failed, messages, requests: takeRequests() };
  }

  it("imports a domain by its id, sets what is declared with the next update, and leaves the rest alone", async () => {
    const site = { domain: "example.com", label: "Site" };
    const stack = await start(() => new Domain("site", site, { import: BY_HAND.id }));
    const imported = await doing(stack.up());
    expect(imported).toMatchObject({ changes: { import: 1 }, failed: false });
    expect(imported.messages).toContain(
      "is imported as it is. The next update sets label as declared",
    );

    stack.change(() => new Domain("site", site));
    const requests = ["updateDomain"];
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, requests });

    service.updateDomain(BY_HAND.id, { description: "Changed by hand" });
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 } });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, requests: [] });
  });

  it("says nothing of an import that declares only the name, and refuses another name or no domain", async () => {
    const site = { domain: "example.com" };
    const stack = await start(() => new Domain("site", site, { import: BY_HAND.id }));
    const quiet = { changes: { import: 1 }, failed: false, messages: "" };
    expect(await doing(stack.preview())).toMatchObject(quiet);

    const other = { domain: "other.example" };
    stack.change(() => new Domain("other", other, { import: BY_HAND.id }));
    expect((await doing(stack.preview())).messages).toContain("is declared with another name");

    stack.change(() => new Domain("none", shop, { import: BY_HAND.id.replaceAll("1", "2") }));
    expect((await doing(stack.preview())).messages).toContain(
      "the account has no such domain: check its id",
    );
  });

  it("lives with a channel that takes its id, from create to destroy", async () => {
    const ops = { label: "Ops", type: "email", value: "ops@example.com", lifecycle: "managed" };
    const stack = await start(() => {
      const { domainId } = new Domain("shop", { domain: "shop.example" });
      new Channel(CHANNEL_TYPE, "ops", { ...ops, domainId });
    });

    expect(await stack.preview()).toMatchObject({ failed: false, changes: { create: 2 } });
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 2 } });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 2 } });
    expect(await stack.refresh()).toMatchObject({ failed: false, changes: { same: 2 } });
    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 2 } });
    expect(service.channels()).toEqual([]);
  });

  it("takes the domain of the npm package over without a difference", async () => {
    const stack = await start(() => {
      new DynamicDomain("shop", shop);
    });

    await stack.up();
    stack.change(() => void new Domain("shop", shop));
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 } });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, requests: [] });
  });
});
