/**
 * Managed channels with the bundled plugin: their calls as the engine makes them, and whole programs on the real engine, with the
 * requests that each costs. What the core decides is proven in test/provider and test/e2e.
 */
import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel } from "../../src";
import { UNKNOWN } from "../../src/common/markers";
import type { Properties } from "../../src/provider/boundary";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import {
  DOMAIN,
  EMAIL,
  expectNoSecret,
  SLACK_URL,
  TOKEN,
  WEBHOOK_URL,
  webhookChannel,
} from "../provider/support/channels";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { PLUGIN_DIRECTORY, PluginProcess, refusalOf, secret } from "./support/plugin-process";

const OTHER_TOKEN = "other-token-secret-0123456789";
const ROTATED = "https://hooks.slack.com/services/rotated-slack-secret";
const TYPE = "domain-monitoring:index:NotificationChannel";
const DYNAMIC_TYPE = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";

/** As a generated SDK's class: with the schema's alias. */
class Channel extends pulumi.CustomResource {
  declare readonly label: pulumi.Output<string>;
  declare readonly channelId: pulumi.Output<string>;
  constructor(name: string, args: object, opts: pulumi.CustomResourceOptions = {}) {
    super(TYPE, name, args, pulumi.mergeOptions(opts, { aliases: [{ type: DYNAMIC_TYPE }] }));
  }
}

class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs) {
    super("domain-monitoring", name, args);
  }
}

const ops = { domainId: DOMAIN, label: "Ops on-call", type: "slack" as const, value: SLACK_URL };

describe("a managed channel's calls", () => {
  const URN = `urn:pulumi:test::test::${TYPE}::ops`;
  const TEXT = { __provider: "exports.handler=…" };
  const OTHER_DOMAIN = "22222222-2222-4222-8222-222222222222";
  const ABSENT = "44444444-4444-4444-8444-444444444444";
  const declared: Properties = { ...webhookChannel, lifecycle: "managed" };
  let emulator: Emulator;
  let plugin: PluginProcess;
  let counted = 0;

  beforeAll(async () => {
    const options = { token: TOKEN, lifecycle: "managed" } as const;
    [emulator, plugin] = await Promise.all([startEmulator(options), PluginProcess.start()]);
  });
  /** As the process of another run would be. */
  const restarted = () =>
    plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN), maxRetries: "0" });

  beforeEach(async () => {
    emulator.reset();
    plugin.logged.length = 0;
    await restarted();
  });
  afterEach(() => {
    for (const text of [plugin.printed, ...plugin.logged.map(({ message }) => message)]) expectNoSecret(text);
  });
  afterAll(async () => {
    await plugin.stop();
    await emulator.close();
  });

  /** A channel in the service, as the engine has it recorded: with its secrets in clear. */
  async function created() {
    const { id, properties } = await plugin.create(declared);
    counted = emulator.requests.length;
    return { id, recorded: { ...properties, value: WEBHOOK_URL, secondaryValue: "PUT" } };
  }

  const methods = () => emulator.requests.slice(counted).map(({ method }) => method);
  const warned = () => plugin.logged.map(({ urn, message }) => ({ urn, message }));

  test("change it in place, read it and delete it, and seal the destination in every answer", async () => {
    const { id, recorded } = await created();
    expect(recorded).toMatchObject({ lifecycle: "managed" });
    const news = { ...declared, label: "Renamed", value: `${WEBHOOK_URL}2` };
    expect(await plugin.diff(id, recorded, news)).toMatchObject({ changes: "some", replaces: [] });
    const properties = await plugin.update(id, recorded, news);
    expect(properties).toMatchObject({
      label: "Renamed",
      value: secret(news.value),
      secondaryValue: secret("PUT"),
    });
    expect(emulator.channels()).toMatchObject([{ id, label: "Renamed", value: news.value }]);

    emulator.updateChannel(id, { label: "By hand" });
    const read = await plugin.read(id, { ...properties, value: news.value, secondaryValue: "PUT", ...TEXT });
    expect(read).toMatchObject({
      id,
      properties: { label: "By hand", value: secret(news.value), ...TEXT },
      inputs: { label: "By hand", value: secret(news.value), secondaryValue: secret("PUT") },
    });
    expect(read.inputs).not.toHaveProperty("__provider");

    await plugin.delete(id, recorded);
    expect(emulator.channels()).toEqual([]);
    expect(methods()).toEqual(["PATCH", "GET", "DELETE"]);
    expect(warned()).toEqual([
      { urn: URN, message: expect.stringMatching(/id \S+\): the destination is to be changed \(value\)$/) },
    ]);
  });

  test("answer for one that is gone with neither an id nor properties, which the engine would record", async () => {
    const { id, recorded } = await created();
    emulator.removeChannel(id);
    expect(await plugin.read(id, recorded)).toMatchObject({ id: "", hasProperties: false });
    await plugin.delete(id, recorded);
    expect(warned()).toEqual([
      { urn: URN, message: expect.stringContaining("somebody else has removed it") },
    ]);
  });

  test("record which part of an update was not confirmed, sealed and with the dynamic provider's text", async () => {
    const { id, recorded } = await created();
    emulator.fault({ operation: "updateNotificationChannel", reset: "after" });
    const news = { ...declared, value: `${WEBHOOK_URL}2` };
    const { message, partial } = await refusalOf(plugin.update(id, { ...recorded, ...TEXT }, news));
    expect(message).toContain("may or may not be updated");
    expect(partial).toMatchObject({
      id,
      properties: {
        unconfirmed: ["value"],
        value: secret(WEBHOOK_URL),
        secondaryValue: secret("PUT"),
        ...TEXT,
      },
      reasons: [message],
    });
  });

  test("read what a program only refers to, by the same two ids, and say nothing of an import", async () => {
    const { id } = await created();
    // The engine sends an object here, an empty one if nothing is known.
    const read = await plugin.read(`${DOMAIN}/${id}`, {});
    expect(read).toMatchObject({
      id,
      properties: { channelId: id, label: declared.label, lifecycle: "managed" },
    });
    expect(warned()).toEqual([]);
    const failure = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`, {}));
    expect(failure.message).toContain("the service has no such channel");
    // It may be another resource's in the same program, which changes and deletes it as always.
    const news = { ...declared, label: "Renamed" };
    expect(await plugin.diff(id, read.properties, news)).toMatchObject({ changes: "some" });
  });

  describe("by an id that nothing records, as `pulumi do` gives it", () => {
    test("change it and delete it in its domain", async () => {
      const { id } = await created();
      const both = `${DOMAIN}/${id}`;
      const { properties, inputs } = await plugin.read(both, {});
      const news = { ...inputs, label: "Renamed" };
      expect(await plugin.diff(both, properties, news)).toMatchObject({ changes: "some", replaces: [] });
      expect(await plugin.update(both, properties, news)).toMatchObject({ channelId: id, label: "Renamed" });
      expect(emulator.channels()).toMatchObject([{ id, label: "Renamed", value: WEBHOOK_URL }]);
      await plugin.delete(both, {});
      expect(emulator.channels()).toEqual([]);
      expect(methods()).toEqual(["GET", "PATCH", "DELETE"]);
    });

    test("are refused what is no id, and a delete without the domain", async () => {
      for (const call of [
        () => plugin.read("anything", {}),
        () => plugin.update("anything", {}, declared),
        () => plugin.delete("anything", {}),
        () => plugin.delete(`${DOMAIN}/anything`, {}),
      ])
        expect((await refusalOf(call())).message).toContain(
          "neither that of a channel nor DOMAIN_ID/CHANNEL_ID",
        );
      const { message } = await refusalOf(plugin.delete(ABSENT, {}));
      expect(message).toBe(
        "a channel that no stack has is deleted by DOMAIN_ID/CHANNEL_ID only: give the id of its domain, too",
      );
      expect(emulator.requests).toEqual([]);
    });
  });

  describe("of an import", () => {
    test("read it by its domain's id and its own, and say that the destination is to be declared", async () => {
      const { id } = await created();
      const { properties, inputs, ...read } = await plugin.read(`${DOMAIN}/${id}`);
      const { value: _value, secondaryValue: _method, ...shown } = declared;
      expect(read).toMatchObject({ id });
      expect(inputs).toEqual(shown);
      expect(properties).toMatchObject({ ...shown, channelId: id, isProtected: false });
      for (const record of [properties, inputs]) expect(record).not.toHaveProperty("value");
      expect(warned()).toEqual([
        { urn: URN, message: expect.stringContaining(`id ${id}) is read without its destination`) },
      ]);
      // For the run that imports it, nothing differs: what the next one will change is only said.
      const other = { ...declared, label: "Other" };
      expect(await plugin.diff(id, properties, other)).toMatchObject({ changes: "none" });
      expect(warned().at(-1)?.message).toContain(
        "The next update sets label, value, secondaryValue as declared",
      );
      await restarted();

      // `pulumi import` then asks whether these are inputs.
      expect((await plugin.check(inputs, inputs)).failures).toEqual([]);

      const news = { ...declared, value: `${WEBHOOK_URL}2` };
      expect(await plugin.diff(id, properties, news)).toMatchObject({ changes: "some", replaces: [] });
      emulator.updateChannel(id, { label: "Since by hand" });
      await plugin.update(id, properties, news);
      expect(methods()).toEqual(["GET", "PATCH"]);
      // Nothing but the destination is sent.
      expect(emulator.channels()).toMatchObject([{ id, label: "Since by hand", value: `${WEBHOOK_URL}2` }]);
    });

    test("leave its destination alone where none is declared", async () => {
      const { id } = await created();
      const { properties, inputs } = await plugin.read(`${DOMAIN}/${id}`);
      await restarted();
      const { inputs: news } = await plugin.check(inputs);
      expect(await plugin.diff(id, properties, news)).toMatchObject({ changes: "none" });
      await plugin.update(id, properties, { ...news, label: "Renamed" });
      expect(emulator.channels()).toMatchObject([
        { id, label: "Renamed", value: WEBHOOK_URL, secondaryValue: "PUT" },
      ]);
    });

    test("refuse to replace it where it is declared create-only", async () => {
      const { id } = await created();
      const { properties } = await plugin.read(`${DOMAIN}/${id}`);
      await restarted();
      const { message } = await refusalOf(plugin.diff(id, properties, webhookChannel));
      expect(message).toContain('declare lifecycle "managed", or import it by the channel\'s id alone');
    });

    test.each([
      ["type", { type: "email" }],
      ["domainId", { domainId: OTHER_DOMAIN }],
    ])(
      "refuse to replace it where another %s is declared, by the import and by every update after it",
      async (name, wrong) => {
        const { id } = await created();
        const { properties } = await plugin.read(`${DOMAIN}/${id}`);
        for (const run of ["import", "the next"]) {
          const { message } = await refusalOf(plugin.diff(id, properties, { ...declared, ...wrong }));
          expect({ run, message }).toEqual({
            run,
            message: expect.stringContaining(
              `is declared with another ${name}, so it would be replaced: declare what it is, or correct the id of the import`,
            ),
          });
          await restarted();
        }
        const unknown = { ...declared, [name]: UNKNOWN };
        expect(await plugin.diff(id, properties, unknown)).toMatchObject({ replaces: [name] });
      },
    );

    test("keep it where the same resource imports another one instead, as it was never declared", async () => {
      const [{ id }, other] = [await created(), await created()];
      const { properties } = await plugin.read(`${DOMAIN}/${id}`);
      await restarted();
      await plugin.read(`${DOMAIN}/${other.id}`);
      await plugin.delete(id, properties);
      expect(emulator.channels()).toHaveLength(2);
      expect(warned().at(-1)?.message).toContain("it leaves the stack and stays in the service");
    });

    test("refuse one that does not exist, and what is no id", async () => {
      const { message } = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`));
      expect(message).toContain("the service has no such channel: check its id and its domainId");
      const asked = emulator.requests.length;
      for (const id of [
        `/${ABSENT}`,
        `${DOMAIN}/`,
        `${DOMAIN}/history`,
        `${DOMAIN}/${ABSENT}/x`,
        `../${ABSENT}/`,
      ])
        expect((await refusalOf(plugin.read(id))).message).toBe(
          "the id is neither that of a channel nor DOMAIN_ID/CHANNEL_ID, with the channel's UUID: correct it",
        );
      expect((await refusalOf(plugin.read(`../${ABSENT}`))).message).toContain("domainId is not a valid id");
      expect(emulator.requests).toHaveLength(asked);
    });

    test("is checked as any other where a program declares nothing: not even its label", async () => {
      const { id } = await created();
      await plugin.read(`${DOMAIN}/${id}`);
      expect((await plugin.check({})).failures).toHaveLength(3);
    });

    test("is followed by no delete of the channel by the same resource, and by the other deletes", async () => {
      const [{ id, recorded }, other] = [await created(), await created()];
      await plugin.read(`${DOMAIN}/${id}`);
      await plugin.delete(id, recorded);
      await plugin.delete(other.id, other.recorded);
      expect(emulator.channels()).toMatchObject([{ id }]);
      expect(warned().at(-1)?.message).toContain("is not deleted, as its resource imports it again");
    });

    test("by the id alone refuse at the next update what is declared with another type", async () => {
      const { id } = await created();
      const { properties } = await plugin.read(id);
      await restarted();
      const news = { ...declared, type: "email", value: EMAIL, secondaryValue: null };
      const { message } = await refusalOf(plugin.update(id, properties, news));
      expect(message).toContain("is declared with another type, so it would be replaced");
      expect(methods()).toEqual(["GET"]);
    });

    test("on a service that shows no channels name the import by the channel's id alone", async () => {
      await using createOnly = await startEmulator({ token: TOKEN });
      await plugin.configure({ baseUrl: createOnly.url, apiToken: secret(TOKEN) });
      const { message } = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`));
      expect(message).toContain("import it by the channel's id alone");
      expect(message).not.toContain("state delete");
    });

    test("by the id alone set what is declared, as nothing is known of it", async () => {
      const { id } = await created();
      await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN), lifecycle: "managed" });
      const { properties } = await plugin.read(id);
      expect(await plugin.check({})).toEqual({ inputs: {}, failures: [] });
      expect(warned()).toEqual([
        { urn: URN, message: expect.stringContaining("DOMAIN_ID/CHANNEL_ID reads the channel") },
      ]);
      const news = { ...declared, label: "Renamed" };
      expect(await plugin.diff(id, properties, news)).toMatchObject({ changes: "some", replaces: [] });
      await plugin.update(id, properties, news);
      expect(methods()).toEqual(["GET", "PATCH"]);
      expect(emulator.channels()).toMatchObject([{ id, label: "Renamed", value: WEBHOOK_URL }]);
    });
  });
});

describeOnRealEngine("managed channels of the plugin", (create) => {
  let service: Emulator;
  let declared: () => unknown;
  let exported: () => Record<string, unknown>;
  let counted: number;

  beforeEach(async () => {
    exported = () => ({});
    service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
    counted = 0;
  });
  afterEach(() => service.close());

  function start(config: Record<string, string> = { "domain-monitoring:lifecycle": "managed" }) {
    return create({
      plugin: PLUGIN_DIRECTORY,
      config: { "domain-monitoring:baseUrl": service.url, ...config },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [SLACK_URL, ROTATED, EMAIL, OTHER_TOKEN],
      program: async () => {
        declared();
        return exported();
      },
    });
  }

  /** Methods of the requests since the last call. */
  function asked(): string[] {
    const all = service.requests.map(({ method }) => method);
    const since = all.slice(counted);
    counted = all.length;
    return since;
  }

  test("are created, changed in place, mended, created again, replaced and deleted", async () => {
    declared = () => new Channel("ops", ops);
    const stack = await start();
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1 }, diagnostics: [] });
    expect(asked()).toEqual(["GET", "POST"]);
    const [{ id = "" } = {}] = service.channels();

    declared = () => new Channel("ops", { ...ops, label: "Ops by day", value: ROTATED });
    const preview = await stack.preview();
    expect(preview).toMatchObject({ changes: { update: 1 } });
    expect(messagesOf(preview)).toEqual([expect.stringContaining("the destination is to be changed")]);
    expect(asked()).toEqual([]);
    expect(await stack.up()).toMatchObject({ changes: { update: 1 } });
    expect(asked()).toEqual(["PATCH"]);
    expect(service.channels()).toMatchObject([{ id, label: "Ops by day", value: ROTATED }]);

    service.updateChannel(id, { label: "By hand" });
    expect(await stack.refresh()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(await stack.up()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(asked()).toEqual(["GET", "PATCH"]);
    expect(service.channels()).toMatchObject([{ id, label: "Ops by day", value: ROTATED }]);

    service.removeChannel(id);
    expect(await stack.refresh()).toMatchObject({ failed: false, changes: { delete: 1 }, diagnostics: [] });
    expect(await stack.up()).toMatchObject({ changes: { create: 1 }, diagnostics: [] });
    expect(service.channels()).toHaveLength(1);

    declared = () => new Channel("ops", { ...ops, type: "email", value: EMAIL });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toMatchObject([{ type: "email" }]);
    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 1 }, diagnostics: [] });
    expect(service.channels()).toEqual([]);
  });

  test("move from the dynamic provider and back without a change or a write, and are deleted then", async () => {
    const backwards = { aliases: [{ type: TYPE }] };
    const dynamic = () => new NotificationChannel("ops", ops, backwards);
    declared = dynamic;
    const stack = await start();
    await stack.up();
    asked();
    for (const form of [() => new Channel("ops", ops), dynamic]) {
      declared = form;
      expect(await stack.preview()).toMatchObject({ failed: false, changes: { same: 1 }, diagnostics: [] });
      expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 1 }, diagnostics: [] });
      expect(await stack.refresh()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
      expect(asked()).toEqual(["GET"]);
    }
    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 1 }, diagnostics: [] });
    expect(service.channels()).toEqual([]);
  });

  test("are imported by option, which reads them and sets only the destination, and is refused what is not there", async () => {
    const id = service.addChannel(DOMAIN, { label: "Ops on-call", type: "slack", value: ROTATED });
    declared = () => new Channel("ops", ops, { import: `${DOMAIN}/${id}` });
    const stack = await start();
    const preview = await stack.preview();
    expect(preview).toMatchObject({ failed: false });
    const said = [
      expect.stringContaining("is read without its destination"),
      expect.stringContaining("The next update sets value as declared"),
    ];
    expect(messagesOf(preview)).toEqual(expect.arrayContaining(said));
    const imported = await stack.up();
    expect(imported).toMatchObject({ failed: false, changes: { import: 1 } });
    expect(messagesOf(imported)).toEqual(expect.arrayContaining(said));
    expect(asked()).toEqual(["GET", "GET"]);
    expect(await stack.up()).toMatchObject({ changes: { update: 1 } });
    expect(service.channels()).toMatchObject([{ id, label: "Ops on-call", value: SLACK_URL }]);
    expect(await stack.state()).toMatchObject([{ id, outputs: { lifecycle: "managed", value: "[secret]" } }]);
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    declared = () => new Channel("ops", ops);
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    expect(asked()).toEqual(["PATCH"]);

    // Declared again, the engine no longer knows that id: it imports the channel, and asks to delete what had it.
    declared = () => new Channel("ops", ops, { import: `${DOMAIN}/${id}` });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(asked()).toEqual(["GET"]);
    expect(service.channels()).toMatchObject([{ id }]);
    expect(await stack.refresh()).toMatchObject({ failed: false });

    const absent = { import: `${DOMAIN}/44444444-4444-4444-8444-444444444444` };
    declared = () => new Channel("absent", ops, absent);
    expect(messagesOf(await stack.preview()).join()).toContain("the service has no such channel");
  });

  test("are neither replaced nor deleted where an import declares another type, whatever runs after it", async () => {
    const [id, other] = ["Ops on-call", "Pager"].map((label) =>
      service.addChannel(DOMAIN, { label, type: "slack", value: ROTATED }),
    );
    const wrong = { ...ops, type: "email", value: EMAIL };
    declared = () => new Channel("ops", wrong, { import: `${DOMAIN}/${id}` });
    const stack = await start();
    const refused = expect.stringContaining("is declared with another type, so it would be replaced");
    for (const run of [stack.preview, stack.up, stack.up]) {
      const outcome = await run();
      expect(outcome).toMatchObject({ failed: true });
      expect(messagesOf(outcome, "error")).toContainEqual(refused);
    }
    declared = () => new Channel("ops", wrong);
    expect(await stack.up()).toMatchObject({ failed: true });
    declared = () => new Channel("ops", ops, { import: `${DOMAIN}/${other}` });
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(service.channels().map((channel) => channel.id)).toEqual([id, other]);
  });

  test("are referred to by both ids without a word, while another resource imports and deletes what it has", async () => {
    const id = service.addChannel(DOMAIN, { label: "By hand", type: "slack", value: ROTATED });
    const theirs = () =>
      new Channel("theirs", { label: undefined, channelId: undefined }, { id: `${DOMAIN}/${id}` });
    declared = () => new Channel("ops", ops);
    exported = () => {
      const { label, channelId } = theirs();
      return { label, channelId };
    };
    const stack = await start();
    expect(await stack.up()).toMatchObject({
      failed: false,
      outputs: { label: { value: "By hand" }, channelId: { value: id } },
      diagnostics: [],
    });
    expect(await stack.refresh()).toMatchObject({ failed: false, diagnostics: [] });
    expect(await stack.destroy()).toMatchObject({ failed: false, diagnostics: [] });
    expect(service.channels()).toMatchObject([{ id, label: "By hand" }]);
  });

  test("move to another account with their provider, and stay with what else changes of it", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN, lifecycle: "managed" });
    let account: object = { baseUrl: service.url, apiToken: TOKEN };
    declared = () => {
      const provider = new Provider("account", account);
      new Channel("ops", ops, { provider });
      new Channel("kept", { ...ops, label: "Kept", lifecycle: "create-only" }, { provider });
    };
    const stack = await start();
    await stack.up();
    account = { baseUrl: `${service.url}/`, apiToken: TOKEN, maxRetries: "1" };
    asked();
    expect(await stack.up()).toMatchObject({ changes: { update: 1, same: 2 }, diagnostics: [] });
    expect(asked()).toEqual([]);

    account = { baseUrl: other.url, apiToken: OTHER_TOKEN };
    const preview = await stack.preview();
    expect(preview).toMatchObject({ failed: false, changes: { replace: 3 } });
    expect(messagesOf(preview)).toEqual([expect.stringContaining("Another base address is another account")]);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 3 } });
    expect(service.channels()).toMatchObject([{ label: "Kept" }]);
    expect(
      other
        .channels()
        .map(({ label }) => label)
        .sort(),
    ).toEqual(["Kept", "Ops on-call"]);
    expect(await stack.up()).toMatchObject({ changes: { same: 3 }, diagnostics: [] });

    // To the account of the stack.
    declared = () => new Channel("ops", ops);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toHaveLength(2);
    expect(other.channels()).toMatchObject([{ label: "Kept" }]);
  });

  test("follow the stack's lifecycle under an explicit provider that has none, and its own where it has one", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN, lifecycle: "managed" });
    const account = { baseUrl: other.url, apiToken: OTHER_TOKEN };
    declared = () => {
      new Channel("ops", ops, { provider: new Provider("other", account) });
      const createOnly = new Provider("create-only", { ...account, lifecycle: "create-only" });
      new Channel("second", { ...ops, label: "Second" }, { provider: createOnly });
    };
    const stack = await start();
    expect(await stack.up()).toMatchObject({ failed: false, diagnostics: [] });
    const lifecycles = (await stack.state()).map(({ outputs }) => outputs);
    expect(lifecycles.filter((outputs) => JSON.stringify(outputs).includes("managed"))).toHaveLength(1);
    const destroyed = await stack.destroy();
    expect(messagesOf(destroyed)).toEqual([expect.stringContaining('"Second"')]);
    expect(other.channels()).toMatchObject([{ label: "Second" }]);
  });
});
