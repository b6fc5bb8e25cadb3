/**
 * A domain's calls, and whole programs with domains on the real engine, with the requests that each
 * step costs.
 */
import * as pulumi from "@pulumi/pulumi";
import { Domain as DynamicDomain } from "../../src";
import { useEmulator, useRequests } from "../support/emulator";
import { describeOnRealEngine, messagesOf, type Outcome } from "../support/engines";
import { PLUGIN_DIRECTORY, PluginProcess, secret } from "./support/plugin-process";

const BY_HAND = {
  id: "11111111-1111-4111-8111-111111111111",
  domain: "example.com",
  label: "By hand",
};

const TYPE = "domain-monitoring:index:Domain";
const shop = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

/** Like a generated SDK's class, with the schema's alias. */
class Domain extends pulumi.CustomResource {
  declare readonly domainId: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string | undefined>;
  constructor(name: string, args: pulumi.Inputs, opts: pulumi.CustomResourceOptions = {}) {
    const aliases = [{ type: "pulumi-nodejs:dynamic/domain-monitoring:Domain" }];
    super(
      TYPE,
      name,
      { domainId: undefined, label: undefined, ...args },
      pulumi.mergeOptions(opts, { aliases }),
    );
  }
}

class Channel extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs) {
    super("domain-monitoring:index:NotificationChannel", name, args);
  }
}

const service = useEmulator({ lifecycle: "managed", domains: [BY_HAND] });

const takeRequests = useRequests(service);

describe("a domain's calls", () => {
  let plugin: PluginProcess;
  const urn = `urn:pulumi:test::test::${TYPE}::shop`;
  beforeEach(async () => {
    plugin = await PluginProcess.start({ urn });
    const account = { baseUrl: service.url, apiToken: secret(service.token) };
    await plugin.configure({ ...account, maxRetries: "0" });
  });

  afterEach(() => plugin.stop());

  it("refuse what is no input, and keep a secret label secret", async () => {
    expect((await plugin.check({ ...shop, adopt: true })).failures).toEqual([
      { property: "", reason: "adopt is not a property of a domain: remove it" },
    ]);

    await expect(plugin.read(BY_HAND.id.replaceAll("1", "2"))).rejects.toThrow(
      /^Domain 2222\S+ is not read/,
    );

    const { inputs, failures } = await plugin.check({ ...shop, label: secret("Kept secret") });
    expect({ inputs, failures }).toEqual({
      inputs: { ...shop, label: secret("Kept secret") },
      failures: [],
    });
  });

  it("create no domain in a preview", async () => {
    await expect(plugin.create(shop, { preview: true })).rejects.toThrow("in a preview");
    expect(takeRequests()).toEqual([]);
  });
});

describeOnRealEngine("a program with domains of the plugin", (create) => {
  function start(program: () => unknown) {
    return create({
      plugin: PLUGIN_DIRECTORY,
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0" },
      secrets: { "domain-monitoring:apiToken": service.token },
      program,
    });
  }

  async function doing(operation: Promise<Outcome>) {
    const { changes, failed, diagnostics, outputs } = await operation;
    return {
      changes,
      failed,
      requests: takeRequests(),
      messages: messagesOf({ diagnostics }).join("\n"),
      outputs,
    };
  }

  it("imports a domain by its id: what the program leaves out is not managed", async () => {
    const stack = await start(() => {
      new Domain("site", { domain: "example.com" }, { import: BY_HAND.id });
    });

    expect(await doing(stack.up())).toMatchObject({
      changes: { import: 1 },
      failed: false,
      messages: "",
    });

    stack.change(() => void new Domain("site", { domain: "example.com" }));
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, requests: [] });

    service.updateDomain(BY_HAND.id, { label: "Changed by hand" });
    expect(await doing(stack.refresh())).toMatchObject({ changes: { same: 1 } });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, requests: [] });

    stack.change(() => void new Domain("site", { domain: "example.com", label: "Site" }));
    const requests = ["updateDomain"];
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, requests });
  });

  it("imports a domain whose declared values come with the next update, and refuses another name", async () => {
    const stack = await start(() => {
      new Domain("site", { domain: "example.com", label: "Site" }, { import: BY_HAND.id });
    });
    const imported = await doing(stack.up());
    expect(imported).toMatchObject({ changes: { import: 1 }, failed: false });
    expect(imported.messages).toContain(
      "is imported as it is. The next update sets label as declared",
    );

    const requests = ["updateDomain"];
    expect(await doing(stack.up())).toMatchObject({ changes: { update: 1 }, requests });

    stack.change(
      () => void new Domain("other", { domain: "other.example" }, { import: BY_HAND.id }),
    );

    expect((await doing(stack.up())).messages).toContain("is declared with another name");

    stack.change(() => void new Domain("none", shop, { import: BY_HAND.id.replaceAll("1", "2") }));
    expect((await doing(stack.up())).messages).toContain(
      "the account has no such domain: check its id",
    );
  });

  it("lives with a channel that takes its id, from create to destroy", async () => {
    const ops = { label: "Ops", type: "email", value: "ops@example.com", lifecycle: "managed" };
    const stack = await start(() => {
      const { domainId } = new Domain("shop", { domain: "shop.example" });
      new Channel("ops", { ...ops, domainId });
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
      new DynamicDomain("shop", { ...shop, domain: "shop.example" });
    });

    await stack.up();
    stack.change(() => void new Domain("shop", shop));
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 } });
    expect(await doing(stack.up())).toMatchObject({ changes: { same: 1 }, requests: [] });
  });
});
