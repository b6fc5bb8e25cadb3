/**
 * The life of each resource in programs with the bundled plugin, on the real engine. They do not
 * need a generated SDK. The life of a create-only channel is in `languages.test.ts`.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { PLUGIN_DIRECTORY as plugin } from "./support/plugin-process";

const ROTATED = "https://hooks.slack.com/services/rotated-slack-secret";

/** Like a generated SDK's class, but without its marks for secrets. */
class Channel extends pulumi.CustomResource {
  constructor(name: string, args: object) {
    super("domain-monitoring:index:NotificationChannel", name, { ...args });
  }
}

class Alerts extends pulumi.ComponentResource {
  declare readonly channelIds: pulumi.Output<Record<string, string>>;
  declare readonly domain: pulumi.Output<{ domain: string }>;
  constructor(name: string, args: object, opts?: pulumi.ComponentResourceOptions) {
    const outputs = { channelIds: undefined, domain: undefined };
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
  domainId: DOMAIN,
  label: "Ops on-call",
  type: "slack" as const,
  value: SLACK_URL,
};

const desk = {
  label: "Registrar desk",
  type: "email" as const,
  value: EMAIL,
};

describeOnRealEngine("a program with the plugin", (create) => {
  let service: Emulator;
  let counted: number;

  beforeEach(async () => {
    service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
    counted = 0;
  });

  afterEach(() => service.close());

  function start(program: () => unknown) {
    return create({
      plugin,
      config: {
        "domain-monitoring:baseUrl": service.url,
        "domain-monitoring:lifecycle": "managed",
      },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [SLACK_URL, ROTATED, EMAIL],
      program,
    });
  }

  /**
   * Methods of the requests since the last call. The account's list is left out, because a process
   * reads it at most once.
   */
  function takeRequests(): string[] {
    const requests = service.requests.filter(({ operation }) => operation !== "listDomains");
    const all = requests.map(({ method }) => method);
    const since = all.slice(counted);
    counted = all.length;

    return since;
  }

  test("carries managed channels from their create to their delete", async () => {
    const stack = await start(() => new Channel("ops", ops));

    expect(await stack.up()).toMatchObject({
      failed: false,
      changes: { create: 1 },
      diagnostics: [],
    });

    expect(takeRequests()).toEqual(["GET", "POST"]);

    const [{ id = "" } = {}] = service.channels();

    stack.change(
      () =>
        new Channel("ops", {
          ...ops,
          label: "Ops by day",
          value: ROTATED,
        }),
    );

    const preview = await stack.preview();

    expect(preview).toMatchObject({ changes: { update: 1 } });
    expect(messagesOf(preview)).toEqual([
      expect.stringContaining("the destination is to be changed"),
    ]);

    expect(takeRequests()).toEqual([]);
    expect(await stack.up()).toMatchObject({ changes: { update: 1 } });
    expect(takeRequests()).toEqual(["PATCH"]);
    expect(service.channels()).toMatchObject([{ id, label: "Ops by day", value: ROTATED }]);

    service.updateChannel(id, { label: "By hand" });

    expect(await stack.refresh()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(await stack.up()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(takeRequests()).toEqual(["GET", "PATCH"]);
    expect(service.channels()).toMatchObject([{ id, label: "Ops by day", value: ROTATED }]);

    service.removeChannel(id);

    expect(await stack.refresh()).toMatchObject({
      failed: false,
      changes: { delete: 1 },
      diagnostics: [],
    });

    expect(await stack.up()).toMatchObject({ changes: { create: 1 }, diagnostics: [] });
    expect(service.channels()).toHaveLength(1);

    stack.change(
      () =>
        new Channel("ops", {
          ...ops,
          type: "email",
          value: EMAIL,
        }),
    );

    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toMatchObject([{ type: "email" }]);
    expect(await stack.destroy()).toMatchObject({
      failed: false,
      changes: { delete: 1 },
      diagnostics: [],
    });

    expect(service.channels()).toEqual([]);
  });

  test("carries a DomainAlerts with a domain of the same program from create to delete", async () => {
    let label = ops.label;
    const { domainId: _ofDomain, ...slack } = ops;
    const stack = await start(() => {
      const { domainId } = new Domain("shop", {
        domain: "shop.example",
        deletionPolicy: "delete",
      });
      const expiry = { minimumDays: 0, onUnknown: "warn" };
      const opts = { protect: false };
      const { channelIds, domain } = new Alerts("website", {
        domainId,
        channels: { ops: { ...slack, label }, desk: { ...desk, opts } },
        expiry,
      });

      return { channelIds, name: domain.domain };
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
