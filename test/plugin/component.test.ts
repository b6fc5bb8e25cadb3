/**
 * The engine's request to construct `DomainAlerts`, against the bundle and a monitor that only
 * records.
 */
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { fromStruct, toStruct } from "../../packages/pulumi-offline/src/sdk";
import { OUTPUT_MARK } from "../../src/plugin/values";
import { type Properties, SECRET_MARKER, UNKNOWN } from "../../src/provider/boundary";
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { FakeMonitor, type Registration } from "./support/monitor";
import { type PluginProcess, refusalOf, secret, usePlugin } from "./support/plugin-process";

const TYPE = "domain-monitoring:index:DomainAlerts";
const CHANNEL = "domain-monitoring:index:NotificationChannel";
const DYNAMIC = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";
const URN = `urn:pulumi:test::test::${TYPE}::website`;
const SITE = "urn:pulumi:test::test::test:index:Site::site";

let emulator: Emulator;
let plugin: PluginProcess;
let monitor: FakeMonitor;

usePlugin({}, (started) => {
  ({ emulator, plugin } = started);
});

beforeEach(async () => {
  monitor = await FakeMonitor.start();
});

afterEach(() => monitor.close());

const ops = {
  label: "Ops on-call",
  type: "slack",
  value: SLACK_URL,
};

const desk = {
  label: "Registrar desk",
  type: "email",
  value: EMAIL,
};

/** An output in its wire format; unknown if it has no value. */
function output(from: string[], parts: { value?: unknown; secret?: boolean } = {}): Properties {
  return {
    [SECRET_MARKER.key]: OUTPUT_MARK,
    dependencies: from,
    ...parts,
  };
}

/** Asks for a component to be constructed, by default in an update. */
async function construct(
  inputs: Properties,
  extend: (request: messages.ConstructRequest) => unknown = () => {},
) {
  const request = new messages.ConstructRequest()
    .setType(TYPE)
    .setName("website")
    .setMonitorendpoint(monitor.address)
    .setInputs(toStruct(inputs));

  extend(request);
  const response = await plugin.ask<messages.ConstructResponse>((client, done) =>
    client.construct(request, done),
  );

  const dependencies: Record<string, string[]> = {};
  response.getStatedependenciesMap().forEach((from, name) => {
    dependencies[name] = from.getUrnsList();
  });

  return {
    urn: response.getUrn(),
    state: fromStruct(response.getState()),
    dependencies,
  };
}

const inPreview = (request: messages.ConstructRequest) => request.setDryrun(true);

/** The registrations of channels by name, because their order varies. */
function channels(): Registration[] {
  const registered = monitor.registered.filter(({ type }) => type === CHANNEL);
  return registered.sort((a, b) => (a.name < b.name ? 1 : -1));
}

describe("a DomainAlerts", () => {
  it("registers itself and its channels by the npm package's names and types", async () => {
    const { urn, state, dependencies } = await construct({
      domainId: DOMAIN,
      channels: { ops, desk },
    });

    expect(urn).toBe(URN);

    const [component] = monitor.registered;

    expect(component).toMatchObject({ type: TYPE, name: "website" });
    expect(component?.inputs).toEqual({});
    expect(component?.from).toEqual({});
    expect(component).not.toHaveProperty("custom");
    expect(channels().map(({ name }) => name)).toEqual(["website-ops", "website-desk"]);
    expect(channels()[0]).toMatchObject({
      type: CHANNEL,
      parent: URN,
      custom: true,
      inputs: {
        ...ops,
        domainId: DOMAIN,
        value: secret(SLACK_URL),
      },
      aliasesList: [
        {
          spec: {
            type: DYNAMIC,
            parenturn: undefined,
            noparent: undefined,
          },
        },
      ],
    });

    const channelIds = { ops: "id-of-website-ops", desk: "id-of-website-desk" };
    const { expiresAt } = state;

    expect(monitor.outputs).toEqual([
      {
        urn: URN,
        outputs: {
          domainId: DOMAIN,
          domainName: "example.com",
          expiresAt,
          channelIds,
        },
      },
    ]);

    expect(state).toMatchObject({
      domain: {
        id: DOMAIN,
        domain: "example.com",
        expiresAt,
      },
      channelIds,
    });

    const urns = ["ops", "desk"].map(
      (name) => `urn:pulumi:test::test::${CHANNEL}::website-${name}`,
    );

    // Not every language reads resources out of a map, as the npm package's `channels` is one.
    expect(Object.keys(state).sort()).toEqual(["channelIds", "domain", "expiresAt"]);
    expect(Object.keys(dependencies)).toEqual(["channelIds"]);
    expect(dependencies.channelIds?.sort()).toEqual(urns.toSorted());
  });

  it("passes the options on that it was declared with, and gives its channels theirs", async () => {
    const opts = {
      aliases: ["urn:pulumi:test::test::before::ops"],
      ignoreChanges: ["label"],
      import: "channel-7",
      protect: false,
    };

    const timeouts = new messages.ConstructRequest.CustomTimeouts().setCreate("5m");
    const hooks = new messages.ConstructRequest.ResourceHooksBinding().setAfterCreateList(["hook"]);
    await construct({ domainId: DOMAIN, channels: { ops: { ...ops, opts }, desk } }, (request) => {
      request
        .setParent(SITE)
        .setDependenciesList([SITE])
        .setAliasesList([new Alias().setUrn("urn:pulumi:test::test::before::website")])
        .setProtect(true)
        .setRetainondelete(true)
        .setDeletedwith(SITE)
        .setReplaceWithList([SITE])
        .setIgnorechangesList(["channels"])
        .setCustomtimeouts(timeouts)
        .setResourceHooks(hooks)
        .setStackTraceHandle("trace-1");

      request.getProvidersMap().set("domain-monitoring", "provider");
    });

    expect(monitor.registered[0]).toMatchObject({
      parent: SITE,
      dependenciesList: [SITE],
      aliasesList: [{ urn: "urn:pulumi:test::test::before::website" }],
      protect: true,
      retainondelete: true,
      deletedwith: SITE,
      replaceWithList: [SITE],
      ignorechangesList: ["channels"],
      customtimeouts: { create: "5m" },
      hooks: { afterCreateList: ["hook"] },
      parentstacktracehandle: "trace-1",
      providersMap: [["domain-monitoring", "provider"]],
    });

    const common = {
      dependenciesList: [SITE],
      customtimeouts: { create: "5m" },
      parentstacktracehandle: "trace-1",
    };

    expect(channels()).toMatchObject([
      {
        ...common,
        aliasesList: [
          { spec: { type: DYNAMIC } },
          { urn: "urn:pulumi:test::test::before::ops" },
          { urn: `urn:pulumi:test::test::before$${DYNAMIC}::website-ops` },
          { urn: `urn:pulumi:test::test::before$${CHANNEL}::website-ops` },
        ],
        ignorechangesList: ["label"],
        importid: "channel-7",
        protect: false,
      },
      common,
    ]);

    // The engine passes on the options that children inherit.
    for (const name of ["protect", "deletedwith", "hooks", "ignorechangesList"])
      expect(channels()[1]).not.toHaveProperty(name);
  });

  it.each([
    ["Python", { ignore_changes: ["dns_notifications_enabled", "on_orphan"], import_: "7" }],
    ["C#", { IgnoreChanges: ["DnsNotificationsEnabled", "OnOrphan"], Import: "7" }],
    ["the schema", { ignoreChanges: ["dnsNotificationsEnabled", "onOrphan"], import: "7" }],
  ])("takes names of options and inputs in the spelling of %s", async (_language, opts) => {
    await construct({ domainId: DOMAIN, channels: { ops: { ...ops, opts } } });

    expect(channels()).toMatchObject([
      { ignorechangesList: ["dnsNotificationsEnabled", "onOrphan"], importid: "7" },
    ]);
  });

  it("has aliases without a parent looked for below the parent that it has now", async () => {
    const renamed = new Alias().setSpec(new Alias.Spec().setName("site"));
    await construct({ domainId: DOMAIN, channels: { ops } }, (request) => {
      request.setParent(SITE).setAliasesList([renamed]);
    });

    // Without this, the engine looks for them below the stack, as early versions of the SDK for
    // Node meant them.
    const [component, channel] = monitor.registered;

    expect(component).toMatchObject({
      aliasesList: [{ spec: { name: "site" } }],
      aliasspecs: true,
    });

    expect(channel).toMatchObject({ aliasspecs: true });
  });

  const root = "urn:pulumi:test::test::pulumi:pulumi:Stack::test-test";
  it.each([
    ["a name", { name: "site" }, SITE, `test::test::test:index:Site$${TYPE}::site`],
    ["a type", { type: "a:b:C" }, SITE, "test::test::test:index:Site$a:b:C::website"],
    ["another parent", { parenturn: SITE }, "", `test::test::test:index:Site$${TYPE}::website`],
    ["the stack as parent", { parenturn: root }, SITE, `test::test::${TYPE}::website`],
    ["no parent", { noparent: true }, SITE, `test::test::${TYPE}::website`],
    ["another stack", { stack: "dev", project: "old" }, "", `dev::old::${TYPE}::website`],
  ])("has channels that are found by its alias with %s", async (_, alias, parent, former) => {
    const { name = "", type = "", ...at }: Partial<Alias.Spec.AsObject> = alias;
    const spec = new Alias.Spec().setName(name).setType(type);
    spec.setStack(at.stack ?? "").setProject(at.project ?? "");
    if (at.noparent !== undefined) spec.setNoparent(at.noparent);
    if (at.parenturn !== undefined) spec.setParenturn(at.parenturn);
    await construct({ domainId: DOMAIN, channels: { ops } }, (request) => {
      request.setParent(parent).setAliasesList([new Alias().setSpec(spec)]);
    });

    const [types, componentName] = former.split(/::(?=[^:]*$)/);
    const urns = [DYNAMIC, CHANNEL].map(
      (channel) => `urn:pulumi:${types}$${channel}::${componentName}-ops`,
    );

    expect(channels()[0]?.aliasesList).toMatchObject([
      { spec: { type: DYNAMIC } },
      ...urns.map((urn) => ({ urn })),
    ]);
  });

  it("creates its channels by the provider that was asked", async () => {
    await construct({ domainId: DOMAIN, channels: { ops } });

    expect(channels()[0]).not.toHaveProperty("provider");

    const provider = "urn:pulumi:test::test::pulumi:providers:domain-monitoring::other";
    await plugin.configureAs(
      provider,
      { baseUrl: emulator.url, apiToken: secret(TOKEN) },
      "provider-1",
    );

    await construct({ domainId: DOMAIN, channels: { ops } });

    expect(monitor.registered.at(-1)).toMatchObject({ provider: `${provider}::provider-1` });
  });

  it("leaves a channel that failed out of its outputs, where the engine goes on", async () => {
    monitor.answer = ({ name }) => (name === "website-ops" ? { failed: true } : { id: "7" });
    const { state, dependencies } = await construct({ domainId: DOMAIN, channels: { ops, desk } });

    expect(state.channelIds).toEqual({ desk: "7" });
    expect(dependencies.channelIds).toHaveLength(1);
  });
});

describe("inputs of a DomainAlerts", () => {
  it("say which resources each input of a channel comes from, and what is secret", async () => {
    const team = `${SITE}-team`;
    const given = {
      ...ops,
      label: output([team], { value: "Hidden label", secret: true }),
      value: output([SITE, team], { value: secret(SLACK_URL) }),
      dnsNotificationsEnabled: secret(false),
    };

    await construct({
      domainId: output([SITE], { value: DOMAIN }),
      channels: { ops: given, desk },
    });

    expect(channels()[0]).toMatchObject({
      inputs: {
        domainId: DOMAIN,
        label: secret("Hidden label"),
        type: "slack",
        value: secret(SLACK_URL),
        dnsNotificationsEnabled: secret(false),
      },
      from: {
        domainId: [SITE],
        label: [team],
        type: [],
        value: [SITE, team],
        dnsNotificationsEnabled: [],
      },
    });

    expect(channels()[1]?.from).toEqual({
      domainId: [SITE],
      label: [],
      type: [],
      value: [],
    });
  });

  it("may be outputs as a whole, which hold for everything in them", async () => {
    const whole = output([SITE], {
      value: { ops: secret({ label: "Ops on-call", type: "slack" }) },
    });

    await construct({ domainId: DOMAIN, channels: whole });

    expect(channels()[0]).toMatchObject({
      inputs: {
        domainId: DOMAIN,
        label: secret("Ops on-call"),
        type: secret("slack"),
      },
      from: {
        domainId: [],
        label: [SITE],
        type: [SITE],
      },
    });
  });

  it.each([
    ["domainId", { domainId: secret(DOMAIN) }],
    ["expiry", { domainId: DOMAIN, expiry: { minimumDays: secret(1) } }],
  ])("make what is known of the domain secret, if %s is secret", async (_name, inputs) => {
    const { state } = await construct({ ...inputs, channels: { ops } });

    expect(state).toMatchObject({
      domain: secret(expect.objectContaining({ id: DOMAIN })),
      expiresAt: secret(expect.any(String)),
      channelIds: { ops: "id-of-website-ops" },
    });

    expect(monitor.outputs[0]?.outputs).toMatchObject({
      domainId: secret(DOMAIN),
      domainName: secret("example.com"),
    });
  });

  it.each([
    ["no domain", { channels: { ops } }, "is not a valid id: use the domain's id"],
    ["a list of channels", { domainId: DOMAIN, channels: [ops] }, "write the names in the program"],
    [
      "a channel that is a text",
      { domainId: DOMAIN, channels: { ops: SLACK_URL } },
      'channel "ops" is not a map',
    ],
    [
      "another option",
      { domainId: DOMAIN, channels: { ops: { ...ops, opts: { parent: SITE } } } },
      "parent is not an option",
    ],
    [
      "the name of no input among ignoreChanges",
      { domainId: DOMAIN, channels: { ops: { ...ops, opts: { ignoreChanges: ["typeHuman"] } } } },
      "typeHuman (type_human) is not an input of a channel for ignoreChanges (ignore_changes): use",
    ],
    [
      "an option that is no list",
      { domainId: DOMAIN, channels: { ops: { ...ops, opts: { aliases: SITE } } } },
      "aliases of a channel is not a list of strings",
    ],
    [
      "a protection that is no boolean",
      { domainId: DOMAIN, channels: { ops: { ...ops, opts: { protect: "true" } } } },
      "protect of a channel is neither true nor false",
    ],
    [
      "a rule that makes no sense",
      {
        domainId: DOMAIN,
        channels: { ops },
        expiry: { minimumDays: -1 },
      },
      "is not a whole number from 0 to 36500: use one such as 30",
    ],
  ])("are refused with one line before anything is registered: %s", async (_case, inputs, line) => {
    expect((await refusalOf(construct(inputs))).message).toContain(line);
    expect(monitor.registered).toEqual([]);
    expect(emulator.requests).toEqual([]);
  });

  it("may be null where a language sends that for what is left out", async () => {
    const opts = { protect: null, aliases: null };
    const channel = {
      ...ops,
      secondaryValue: null,
      opts,
    };
    await construct({
      domainId: DOMAIN,
      channels: { ops: channel, desk: { ...desk, opts: null } },
      expiry: null,
    });

    expect(channels()).toHaveLength(2);
    expect(channels()[0]).not.toHaveProperty("protect");
  });
});

describe("the rule of a DomainAlerts", () => {
  it("ends the deployment with one line before a channel is registered", async () => {
    const inputs = {
      domainId: DOMAIN,
      channels: { ops },
      expiry: { minimumDays: 36_500, mode: null },
    };

    for (const extend of [undefined, inPreview]) {
      const { message } = await refusalOf(construct(inputs, extend));
      expect(message).toMatch(
        /^example\.com expires on \S+, \d+ days left, 36500 required: renew it$/,
      );
    }

    expect(monitor.registered.map(({ type }) => type)).toEqual([TYPE, TYPE]);
    expect(monitor.outputs).toEqual([]);
    expect(plugin.logged).toEqual([]);
  });

  it("warns under the component where it is told to, and then its channels are registered", async () => {
    const expiry = { minimumDays: 36_500, mode: "warn" };
    await construct({
      domainId: DOMAIN,
      channels: { ops },
      expiry,
    });

    expect(plugin.logged).toMatchObject([
      { urn: URN, message: expect.stringMatching(/^example\.com expires on/) },
    ]);

    expect(channels()).toHaveLength(1);
  });

  it("is not needed for a domain that cannot be read to end it", async () => {
    const unknown = "99999999-9999-4999-8999-999999999999";
    const { message } = await refusalOf(construct({ domainId: unknown, channels: { ops } }));

    expect(message).toContain(`GET /api/domains/${unknown}: got 404`);
    expect(channels()).toEqual([]);
  });
});

describe("a preview of a DomainAlerts", () => {
  beforeEach(() => {
    monitor.answer = () => ({});
  });

  it("asks nothing about a domain that is not known yet, and shows its channels", async () => {
    const inputs = {
      domainId: output([SITE]),
      channels: { ops },
      expiry: { minimumDays: 30 },
    };

    const { state } = await construct(inputs, inPreview);

    expect(emulator.requests).toEqual([]);
    expect(channels()[0]).toMatchObject({
      inputs: { domainId: UNKNOWN },
      from: { domainId: [SITE] },
    });

    const unknown = {
      domain: UNKNOWN,
      expiresAt: UNKNOWN,
      channelIds: { ops: UNKNOWN },
    };

    expect(state).toMatchObject(unknown);

    const { domain: _, ...recorded } = unknown;

    expect(monitor.outputs[0]?.outputs).toEqual({
      domainId: UNKNOWN,
      domainName: UNKNOWN,
      ...recorded,
    });
  });

  it("reads the domain while the rule is not known yet, and tells nothing of it", async () => {
    const expiry = { minimumDays: output([SITE]) };
    const { state } = await construct(
      {
        domainId: DOMAIN,
        channels: { ops },
        expiry,
      },
      inPreview,
    );

    expect(emulator.requests).toMatchObject([{ operation: "getDomain" }]);
    expect(state).toMatchObject({ domain: UNKNOWN, expiresAt: UNKNOWN });
    expect(channels()).toMatchObject([{ inputs: { domainId: DOMAIN } }]);
  });

  it("knows the ids of channels that exist", async () => {
    monitor.answer = () => ({ id: "7" });
    const { state } = await construct({ domainId: DOMAIN, channels: { ops } }, inPreview);

    expect(state).toMatchObject({ domain: { id: DOMAIN }, channelIds: { ops: "7" } });
  });
});

it("Another component is refused by name", async () => {
  const call = construct({}, (request) => request.setType("domain-monitoring:index:Alerts"));
  expect((await refusalOf(call)).message).toContain(
    `is not a component of this plugin: use ${TYPE}`,
  );
});
