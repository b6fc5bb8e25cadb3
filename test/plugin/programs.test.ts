/** Whole programs with the bundled plugin, on the real engine. They use nothing that a generated SDK would bring. */
import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, Provider } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { PLUGIN_DIRECTORY as plugin } from "./support/plugin-process";

const OTHER_TOKEN = "other-token-secret-0123456789";
const ROTATED = "https://hooks.slack.com/services/rotated-slack-secret";
const TYPE = "domain-monitoring:index:NotificationChannel";
const DYNAMIC_TYPE = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";

/** As a generated SDK's class: with the schema's alias, and without its marks for secrets. */
class Channel extends pulumi.CustomResource {
  declare readonly typeHuman: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string>;
  declare readonly dnsNotificationsEnabled: pulumi.Output<boolean>;
  constructor(name: string, args: object, opts: pulumi.CustomResourceOptions = {}) {
    super(
      TYPE,
      name,
      { typeHuman: undefined, dnsNotificationsEnabled: undefined, ...args },
      pulumi.mergeOptions(opts, { aliases: [{ type: DYNAMIC_TYPE }] }),
    );
  }
}

class PluginProvider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.ResourceOptions) {
    super("domain-monitoring", name, args, opts);
  }
}

function invoke(name: string, args: pulumi.Inputs, opts?: pulumi.InvokeOutputOptions) {
  return pulumi.runtime.invokeOutput<Record<string, unknown>>(`domain-monitoring:index:${name}`, args, opts);
}

const ops = { domainId: DOMAIN, label: "Ops on-call", type: "slack" as const, value: SLACK_URL };

interface Settings {
  lifecycle?: "managed" | "create-only";
  env?: Record<string, string>;
  /** What else may be shown nowhere. */
  hidden?: string[];
}

describeOnRealEngine("a program with the plugin", (create) => {
  let service: Emulator;
  let counted: number;

  beforeEach(async () => {
    service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
    counted = 0;
  });
  afterEach(() => service.close());

  function start(
    program: () => unknown,
    { lifecycle = "create-only", env = {}, hidden = [] }: Settings = {},
  ) {
    return create({
      plugin,
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:lifecycle": lifecycle },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      env,
      keepsSecret: [SLACK_URL, ROTATED, EMAIL, OTHER_TOKEN, ...hidden],
      program,
    });
  }

  /** Methods of the requests since the last call. */
  function asked(): string[] {
    const all = service.requests.map(({ method }) => method);
    const since = all.slice(counted);
    counted = all.length;
    return since;
  }

  test("previews, creates, leaves alone, refreshes, replaces and destroys channels", async () => {
    let label = "Ops on-call";
    const stack = await start(() => {
      const first = new Channel("ops", { ...ops, label });
      const second = new Channel("second", { ...ops, label: pulumi.interpolate`After ${first.id}` });
      return { human: second.typeHuman };
    });
    expect(await stack.preview()).toMatchObject({ changes: { create: 2 }, diagnostics: [] });
    expect(service.requests).toEqual([]);
    expect(await stack.up()).toMatchObject({
      changes: { create: 2 },
      outputs: { human: { value: "Slack", secret: false } },
      diagnostics: [],
    });
    expect(await stack.up()).toMatchObject({ changes: { same: 2 }, diagnostics: [] });
    expect(await stack.refresh()).toMatchObject({ changes: { same: 2 }, diagnostics: [] });
    for (const { inputs, outputs } of await stack.state()) {
      expect(inputs).toMatchObject({ value: "[secret]" });
      expect(outputs).toMatchObject({ value: "[secret]" });
    }

    label = "Renamed";
    const preview = await stack.preview();
    expect(preview.changes).toEqual({ replace: 2 });
    expect(messagesOf(preview, "warning").sort()).toEqual([
      expect.stringContaining("may be replaced (not known yet: label)"),
      expect.stringContaining("is to be replaced (changed: label)"),
    ]);
    expect(service.requests).toHaveLength(2);
    expect((await stack.up()).changes).toEqual({ replace: 2 });
    const destroyed = await stack.destroy();
    expect(destroyed.changes).toEqual({ delete: 2 });
    expect(messagesOf(destroyed, "warning").sort()).toEqual([
      expect.stringMatching(/"After .* is removed from this stack/),
      expect.stringMatching(/"Renamed" .* is removed from this stack/),
    ]);
    expect(service.channels()).toHaveLength(4);
    expect(service.requests).toHaveLength(4);
  });

  test("keeps what it made secret: a label in messages, a flag and the result of a function that depends on one", async () => {
    const hidden = "Hidden label";
    const stack = await start(
      () => {
        const channel = new Channel("ops", {
          ...ops,
          label: pulumi.secret(hidden),
          dnsNotificationsEnabled: pulumi.secret(false),
        });
        const { domain } = pulumi.output(invoke("getDomain", { id: pulumi.secret(DOMAIN) })) as never;
        return { label: channel.label, flag: channel.dnsNotificationsEnabled, domain };
      },
      { hidden: [hidden] },
    );
    expect((await stack.up()).outputs).toMatchObject({
      label: { secret: true },
      flag: { value: false, secret: true },
      domain: { secret: true },
    });
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    const destroyed = await stack.destroy();
    expect(messagesOf(destroyed, "warning").join()).toContain('Notification channel "[secret]" (slack');
  });

  test("records a channel whose answer could not be read, and completes it without another one", async () => {
    service.fault({
      operation: "createNotificationChannel",
      status: 201,
      body: { data: { id: "channel-7" } },
    });
    const stack = await start(() => new Channel("ops", ops));
    const failed = await stack.up();
    expect(failed.failed).toBe(true);
    expect(JSON.stringify(failed.diagnostics)).toContain("channel-7");
    expect(await stack.up()).toMatchObject({ failed: false, changes: { update: 1 } });
    expect(await stack.up()).toMatchObject({ changes: { same: 1 } });
    expect(service.requests).toHaveLength(1);
  });

  test("gives an explicit provider its token by envVarMappings of the variable that it names", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN });
    const program = () => {
      const account = { baseUrl: other.url, apiTokenVariable: "TOKEN_OF_ACCOUNT" };
      const provider = new PluginProvider("eu", account, {
        envVarMappings: { EU_TOKEN: "TOKEN_OF_ACCOUNT" },
      });
      new Channel("ops", ops, { provider });
      const found = pulumi.output(invoke("getDomain", { id: DOMAIN }, { provider }));
      return { name: found.apply(({ domain }) => domain) };
    };
    const stack = await start(program, { env: { EU_TOKEN: OTHER_TOKEN } });
    expect(await stack.up()).toMatchObject({
      failed: false,
      changes: { create: 2 },
      diagnostics: [],
      outputs: { name: { value: "example.com", secret: false } },
    });
    expect(other.channels()).toHaveLength(1);
    expect(service.requests).toEqual([]);
    const [provider] = (await stack.state()).filter(({ urn }) =>
      urn.includes("pulumi:providers:domain-monitoring::eu"),
    );
    expect(provider?.inputs).toMatchObject({ baseUrl: other.url, apiTokenVariable: "TOKEN_OF_ACCOUNT" });
    expect(provider?.inputs).not.toHaveProperty("apiToken");
  });

  test("asks its functions in previews, and one that depends on a resource once that exists", async () => {
    const stack = await start(() => {
      const channel = new Channel("ops", ops);
      const asked = { id: DOMAIN, minimumDays: 30_000, mode: "warn" };
      const dns = invoke("getDnsChanges", { domainId: DOMAIN, limit: 1 }, { dependsOn: [channel] });
      return { expiry: invoke("requireDomainExpiry", asked), total: dns.apply(({ total }) => total) };
    });
    const preview = await stack.preview();
    expect(messagesOf(preview, "warning").sort()).toEqual([
      expect.stringContaining("30000 days are required: renew it"),
    ]);
    expect(service.requests.map(({ operation }) => operation)).toEqual(["getDomain"]);
    const { outputs } = await stack.up();
    expect(outputs).toMatchObject({
      expiry: { value: { domain: "example.com", status: "expiring" }, secret: false },
      total: { value: expect.any(Number) },
    });
  });

  test("takes over a dynamic stack's explicit provider as another resource, and its channels without a change", async () => {
    const account = { baseUrl: service.url, apiToken: TOKEN };
    const stack = await start(
      () => new NotificationChannel("ops", ops, { provider: new Provider("own", account) }),
    );
    await stack.up();
    stack.change(() => new Channel("ops", ops, { provider: new PluginProvider("own", account) }));
    for (const run of [stack.preview, stack.up])
      expect(await run()).toMatchObject({
        failed: false,
        changes: { create: 1, same: 1, delete: 1 },
        diagnostics: [],
      });
    expect(service.requests.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("creates managed channels, changes them in place, mends, creates again, replaces and deletes them", async () => {
    const stack = await start(() => new Channel("ops", ops), { lifecycle: "managed" });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1 }, diagnostics: [] });
    expect(asked()).toEqual(["GET", "POST"]);
    const [{ id = "" } = {}] = service.channels();

    stack.change(() => new Channel("ops", { ...ops, label: "Ops by day", value: ROTATED }));
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

    stack.change(() => new Channel("ops", { ...ops, type: "email", value: EMAIL }));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toMatchObject([{ type: "email" }]);
    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 1 }, diagnostics: [] });
    expect(service.channels()).toEqual([]);
  });

  test("imports a channel by option without a request, never creates it again, and refuses what is no id", async () => {
    const id = "44444444-4444-4444-8444-444444444444";
    const stack = await start(() => new Channel("ops", ops, { import: "not-an-id" }));
    expect(messagesOf(await stack.preview(), "error").join()).toContain(
      "the id is neither that of a channel nor",
    );
    stack.change(() => new Channel("ops", ops, { import: id }));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { import: 1 } });
    stack.change(() => new Channel("ops", ops));
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    expect(await stack.state()).toMatchObject([
      { id, outputs: { channelId: id, label: "Ops on-call", value: "[secret]" } },
    ]);
    expect(asked()).toEqual([]);
  });

  test("imports managed channels by option, which reads them and sets only the destination, and is refused what is not there", async () => {
    const id = service.addChannel(DOMAIN, { label: "Ops on-call", type: "slack", value: ROTATED });
    const importing = () => new Channel("ops", ops, { import: `${DOMAIN}/${id}` });
    const stack = await start(importing, { lifecycle: "managed" });
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
    stack.change(() => new Channel("ops", ops));
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    expect(asked()).toEqual(["PATCH"]);

    // Declared again, the engine no longer knows that id: it imports the channel, and asks to delete what had it.
    stack.change(importing);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(asked()).toEqual(["GET"]);
    expect(service.channels()).toMatchObject([{ id }]);
    expect(await stack.refresh()).toMatchObject({ failed: false });

    const absent = { import: `${DOMAIN}/44444444-4444-4444-8444-444444444444` };
    stack.change(() => new Channel("absent", ops, absent));
    expect(messagesOf(await stack.preview()).join()).toContain("the service has no such channel");
  });

  test("neither replaces nor deletes a channel whose import declares another type, whatever runs after it", async () => {
    const [id, other] = ["Ops on-call", "Pager"].map((label) =>
      service.addChannel(DOMAIN, { label, type: "slack", value: ROTATED }),
    );
    const wrong = { ...ops, type: "email", value: EMAIL };
    const stack = await start(() => new Channel("ops", wrong, { import: `${DOMAIN}/${id}` }), {
      lifecycle: "managed",
    });
    const refused = expect.stringContaining("is declared with another type, so it would be replaced");
    for (const run of [stack.preview, stack.up, stack.up]) {
      const outcome = await run();
      expect(outcome).toMatchObject({ failed: true });
      expect(messagesOf(outcome, "error")).toContainEqual(refused);
    }
    stack.change(() => new Channel("ops", wrong));
    expect(await stack.up()).toMatchObject({ failed: true });
    stack.change(() => new Channel("ops", ops, { import: `${DOMAIN}/${other}` }));
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(service.channels().map((channel) => channel.id)).toEqual([id, other]);
  });

  test("moves channels to another account with their provider, and keeps them if anything else of it changes", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN, lifecycle: "managed" });
    let account: object = { baseUrl: service.url, apiToken: TOKEN };
    const stack = await start(
      () => {
        const provider = new PluginProvider("account", account);
        new Channel("ops", ops, { provider });
        new Channel("kept", { ...ops, label: "Kept", lifecycle: "create-only" }, { provider });
      },
      { lifecycle: "managed" },
    );
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
    stack.change(() => new Channel("ops", ops));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toHaveLength(2);
    expect(other.channels()).toMatchObject([{ label: "Kept" }]);
  });
});
