import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { describeOnRealEngine } from "../support/engines";
import { PLUGIN_DIRECTORY as plugin } from "./support/plugin-process";

/** Like a generated SDK's class, but without its marks for secrets. */
class Alerts extends pulumi.ComponentResource {
  declare readonly channelIds: pulumi.Output<Record<string, string>>;
  declare readonly domain: pulumi.Output<{ domain: string }>;
  declare readonly expiresAt: pulumi.Output<string>;
  constructor(name: string, args: object, opts?: pulumi.ComponentResourceOptions) {
    const outputs = {
      channelIds: undefined,
      domain: undefined,
      expiresAt: undefined,
    };

    super("domain-monitoring:index:DomainAlerts", name, { ...outputs, ...args }, opts, true);
  }
}

class Domain extends pulumi.CustomResource {
  declare readonly domainId: pulumi.Output<string>;
  constructor(name: string, args: object) {
    super("domain-monitoring:index:Domain", name, { domainId: undefined, ...args });
  }
}

const ops = {
  label: "Ops on-call",
  type: "slack" as const,
  value: SLACK_URL,
};

const desk = {
  label: "Registrar desk",
  type: "email" as const,
  value: EMAIL,
};

describeOnRealEngine("a program with the plugin's DomainAlerts", (create) => {
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
  });

  afterEach(() => service.close());

  test("lives with a domain of the same program, from create to destroy", async () => {
    let label = ops.label;
    const stack = await create({
      plugin,
      config: {
        "domain-monitoring:baseUrl": service.url,
        "domain-monitoring:lifecycle": "managed",
      },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [SLACK_URL, EMAIL],
      program: () => {
        const { domainId } = new Domain("shop", {
          domain: "shop.example",
          deletionPolicy: "delete",
        });
        const expiry = { minimumDays: 0, onUnknown: "warn" };
        const opts = { protect: false };
        const { channelIds, domain } = new Alerts("website", {
          domainId,
          channels: { ops: { ...ops, label }, desk: { ...desk, opts } },
          expiry,
        });

        return { channelIds, name: domain.domain };
      },
    });

    expect(await stack.preview()).toMatchObject({ failed: false, changes: { create: 4 } });
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);

    const up = await stack.up();

    expect(up).toMatchObject({ failed: false, changes: { create: 4 } });

    const created = service
      .channels()
      .map((channel) => [channel.label === ops.label ? "ops" : "desk", channel.id]);

    expect(up.outputs).toMatchObject({
      channelIds: { value: Object.fromEntries(created), secret: false },
      name: { value: "shop.example" },
    });

    const state = await stack.state();
    const parent = state.find(({ urn }) => urn.endsWith("DomainAlerts::website"));

    expect(parent?.inputs).toEqual({});
    expect(parent?.outputs).toMatchObject({
      domainName: "shop.example",
      channelIds: Object.fromEntries(created),
    });

    const children = state.filter((resource) => resource.parent === parent?.urn);

    expect(children.map(({ urn }) => urn.split("::").at(-1))).toEqual([
      "website-desk",
      "website-ops",
    ]);

    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 4 } });
    expect(await stack.refresh()).toMatchObject({ failed: false, changes: { same: 4 } });

    label = "Ops by day";

    expect(await stack.preview()).toMatchObject({ failed: false, changes: { same: 3, update: 1 } });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 3, update: 1 } });
    expect(
      service
        .channels()
        .map((channel) => channel.label)
        .sort(),
    ).toEqual(["Ops by day", desk.label]);

    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 4 } });
    expect(service.channels()).toEqual([]);
    expect(service.domains()).toHaveLength(3);
  });
});
