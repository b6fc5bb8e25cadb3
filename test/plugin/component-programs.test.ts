/**
 * Whole programs with the plugin's `DomainAlerts`, on the real engine. They do not need a generated
 * SDK.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DomainAlerts } from "../../src";
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { Projects } from "../support/project";
import { PLUGIN_DIRECTORY as plugin } from "./support/plugin-process";

const OTHER_TOKEN = "other-token-secret-0123456789";
const HIDDEN = "Hidden label";

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

class PluginProvider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs) {
    super("domain-monitoring", name, args);
  }
}

class Channel extends pulumi.CustomResource {
  constructor(name: string, args: object) {
    super("domain-monitoring:index:NotificationChannel", name, { ...args });
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

  const settings = () => ({
    config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:lifecycle": "managed" },
    secrets: { "domain-monitoring:apiToken": TOKEN },
    keepsSecret: [SLACK_URL, EMAIL, OTHER_TOKEN, HIDDEN],
  });

  const start = (program: () => unknown) =>
    create({
      plugin,
      program,
      ...settings(),
    });

  test("lives with a domain of the same program, from create to destroy", async () => {
    let label = ops.label;
    const stack = await start(() => {
      const { domainId } = new Domain("shop", { domain: "shop.example", deletionPolicy: "delete" });
      const expiry = { minimumDays: 0, onUnknown: "warn" };
      const opts = { protect: false };
      const { channelIds, domain } = new Alerts("website", {
        domainId,
        channels: { ops: { ...ops, label }, desk: { ...desk, opts } },
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

  test("uses its provider's account, and passes its options and aliases to its channels", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN, lifecycle: "managed" });
    const declare =
      (name: string, opts: pulumi.ComponentResourceOptions, protect = true) =>
      () => {
        const provider = new PluginProvider("other", {
          baseUrl: other.url,
          apiToken: OTHER_TOKEN,
        });

        const channels = { ops: { ...ops, label: pulumi.secret(HIDDEN) }, desk };
        const alerts = new Alerts(
          name,
          { domainId: pulumi.secret(DOMAIN), channels },
          {
            provider,
            protect,
            ...opts,
          },
        );

        return { domain: alerts.domain, ids: alerts.channelIds };
      };

    const stack = await start(declare("website", {}));
    const up = await stack.up();

    expect(up).toMatchObject({ failed: false, changes: { create: 4 } });
    expect(up.outputs).toMatchObject({ domain: { secret: true }, ids: { secret: false } });
    expect(other.channels()).toHaveLength(2);
    expect(service.requests).toEqual([]);

    stack.change(declare("site", { aliases: [{ name: "website" }] }));

    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 4 } });

    const refused = await stack.destroy();

    expect(messagesOf(refused, "error").join()).toMatch(
      /site-(ops|desk)" cannot be deleted\s+because it is protected/,
    );

    stack.change(declare("site", { aliases: [{ name: "website" }] }, false));
    await stack.up();

    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 4 } });
    expect(other.channels()).toEqual([]);
  });

  test("takes over the npm component's channels and those of the stack, and renames them", async () => {
    const stack = await start(() => {
      new DomainAlerts("website", {
        domainId: DOMAIN,
        channels: { ops },
        expiry: { minimumDays: 1 },
      });

      new Channel("alone", {
        ...desk,
        domainId: DOMAIN,
      });
    });

    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 3 } });

    const before = await stack.state();
    const ids = service.channels().map(({ id }) => id);
    const alone = before.find(({ urn }) => urn.endsWith("::alone"))?.urn;
    const taken = { ...desk, opts: { aliases: [alone] } };
    stack.change(
      () =>
        new Alerts("website", {
          domainId: DOMAIN,
          channels: { ops, desk: taken },
          expiry: { minimumDays: 1 },
        }),
    );

    expect(await stack.preview()).toMatchObject({ failed: false, changes: { same: 3 } });

    const requestsBefore = service.requests.length;

    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 3 } });
    expect(service.requests.slice(requestsBefore).map(({ method }) => method)).toEqual(["GET"]);
    expect(service.channels().map(({ id }) => id)).toEqual(ids);

    const old = (await stack.state()).find(({ urn }) => urn.endsWith("::website-ops"))?.urn;
    const renamed = { ...ops, opts: { aliases: [old] } };
    const opts = { aliases: [{ name: "website" }] };
    stack.change(
      () => new Alerts("site", { domainId: DOMAIN, channels: { onCall: renamed, desk } }, opts),
    );

    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 3 } });
    expect(await stack.refresh()).toMatchObject({ failed: false });
    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 3 } });
    expect(service.channels()).toEqual([]);
  });
});

describeOnRealEngine("a program in files with the plugin's DomainAlerts", (create) => {
  const projects = new Projects();

  /**
   * A program in a file. It may end with an error, which would end the test if it ran in this
   * process.
   */
  function program(name: string, args: object, opts: object = {}) {
    return `
      const pulumi = require("@pulumi/pulumi");
      class Alerts extends pulumi.ComponentResource {
        constructor(name, args, opts) {
          super("domain-monitoring:index:DomainAlerts", name, { channelIds: undefined, ...args }, opts, true);
        }
      }
      const args = ${JSON.stringify({ channels: { ops, desk }, ...args })};
      exports.ids = new Alerts("${name}", args, ${JSON.stringify(opts)}).channelIds;`;
  }

  function startIn(workDir: string, service: Emulator) {
    return create({
      workDir,
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0" },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [SLACK_URL, EMAIL],
    });
  }

  function start(service: Emulator, args: object) {
    const files = { "index.js": program("website", args) };
    return startIn(projects.add("index.js", files, plugin), service);
  }

  test("is renamed by an update that ends halfway, without a create", async () => {
    await using service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
    const declare = (name: string, label: string) =>
      program(
        name,
        {
          domainId: DOMAIN,
          channels: {
            ops: {
              ...ops,
              label,
              lifecycle: "managed",
            },
            desk,
          },
        },
        { aliases: [{ name: "website" }] },
      );

    const workDir = projects.add("index.js", { "index.js": declare("website", ops.label) }, plugin);
    const stack = await startIn(workDir, service);

    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 3 } });

    // The failing update renames the component in the state, but not its channels.
    writeFileSync(path.join(workDir, "index.js"), declare("site", "Ops by day"));
    service.fault({
      operation: "getDomain",
      status: 500,
      times: 1,
    });

    expect((await stack.up()).failed).toBe(true);

    service.fault({
      operation: "updateNotificationChannel",
      status: 500,
      times: 1,
    });

    expect((await stack.up()).failed).toBe(true);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { update: 1, same: 2 } });

    const labels = service.channels().map(({ label }) => label);

    expect(labels.sort()).toEqual(["Ops by day", desk.label]);
  });

  test.each([
    [
      "its domain breaks the rule",
      { expiry: { minimumDays: 30 } },
      "gone.example expired on 2001-02-03",
    ],
    ["its domain cannot be read", { domainId: "99999999-9999-4999-8999-999999999999" }, "got 404"],
    [
      "an argument is wrong",
      { expiry: { minimumDays: -1 } },
      "the expiry rule is not valid: minimumDays (minimum_days) is not a whole number",
    ],
  ])("is stopped by one line before a channel is created, if %s", async (_case, args, line) => {
    const domains = [{ id: DOMAIN, domain: "gone.example", expiresAt: "2001-02-03" }];
    await using service = await startEmulator({ token: TOKEN, domains });
    const stack = await start(service, { domainId: DOMAIN, ...args });
    for (const operation of ["preview", "up"] as const) {
      const outcome = await stack[operation]();

      expect(outcome.failed).toBe(true);
      expect(messagesOf(outcome, "error")).toEqual([expect.stringContaining(line)]);
    }

    expect(service.channels()).toEqual([]);
  });

  test("records the channels created beside a failed one, which the next update creates", async () => {
    await using service = await startEmulator({ token: TOKEN });
    service.fault({
      operation: "createNotificationChannel",
      status: 422,
      body: { message: "no" },
    });

    const stack = await start(service, { domainId: DOMAIN });
    const failed = await stack.up();

    expect(failed.failed).toBe(true);
    expect(messagesOf(failed, "error").join("\n")).toContain("got 422");
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(
      service
        .channels()
        .map(({ label }) => label)
        .sort(),
    ).toEqual([ops.label, desk.label]);

    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 3 } });
  });
});
