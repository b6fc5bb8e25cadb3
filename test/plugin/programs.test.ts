/** Whole programs with the bundled plugin, on the real engine. They use nothing that a generated SDK would bring. */
import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, Provider } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { DOMAIN, SLACK_URL, TOKEN, WEBHOOK_URL } from "../provider/support/channels";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { PLUGIN_DIRECTORY as plugin } from "./support/plugin-process";

const OTHER_TOKEN = "other-token-secret-0123456789";
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

function invoke(name: string, args: pulumi.Inputs, opts?: pulumi.InvokeOutputOptions) {
  return pulumi.runtime.invokeOutput<Record<string, unknown>>(`domain-monitoring:index:${name}`, args, opts);
}

const ops = { domainId: DOMAIN, label: "Ops on-call", type: "slack" as const, value: SLACK_URL };

describeOnRealEngine("a program with the plugin", (create) => {
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await startEmulator({ token: TOKEN });
  });
  beforeEach(() => emulator.reset());
  afterAll(() => emulator.close());

  function start(program: () => unknown, keepsSecret: string[] = []) {
    return create({
      plugin,
      config: { "domain-monitoring:baseUrl": emulator.url },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [SLACK_URL, WEBHOOK_URL, ...keepsSecret],
      program: async () => program() as Record<string, unknown>,
    });
  }

  test("previews, creates, leaves alone, refreshes, replaces and destroys channels", async () => {
    let label = "Ops on-call";
    const stack = await start(() => {
      const first = new Channel("ops", { ...ops, label });
      const second = new Channel("second", { ...ops, label: pulumi.interpolate`After ${first.id}` });
      return { human: second.typeHuman };
    });
    expect(await stack.preview()).toMatchObject({ changes: { create: 2 }, diagnostics: [] });
    expect(emulator.requests).toEqual([]);
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
    expect(emulator.requests).toHaveLength(2);
    expect((await stack.up()).changes).toEqual({ replace: 2 });
    const destroyed = await stack.destroy();
    expect(destroyed.changes).toEqual({ delete: 2 });
    expect(messagesOf(destroyed, "warning").sort()).toEqual([
      expect.stringMatching(/"After .* leaves this stack/),
      expect.stringMatching(/"Renamed" .* leaves this stack/),
    ]);
    expect(emulator.channels()).toHaveLength(4);
    expect(emulator.requests).toHaveLength(4);
  });

  test("keeps what it made secret: a label in messages, a flag and the result of a function that depends on one", async () => {
    const hidden = "Hidden label";
    const stack = await start(() => {
      const channel = new Channel("ops", {
        ...ops,
        label: pulumi.secret(hidden),
        dnsNotificationsEnabled: pulumi.secret(false),
      });
      const { domain } = pulumi.output(invoke("getDomain", { id: pulumi.secret(DOMAIN) })) as never;
      return { label: channel.label, flag: channel.dnsNotificationsEnabled, domain };
    }, [hidden]);
    expect((await stack.up()).outputs).toMatchObject({
      label: { secret: true },
      flag: { value: false, secret: true },
      domain: { secret: true },
    });
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    const destroyed = await stack.destroy();
    expect(messagesOf(destroyed, "warning").join()).toContain('Notification channel "[secret]" (slack');
  });

  test("imports a channel by option without a request, never creates it again, and refuses what is no id", async () => {
    const id = "44444444-4444-4444-8444-444444444444";
    let opts: pulumi.CustomResourceOptions = { import: "not-an-id" };
    const stack = await start(() => new Channel("ops", ops, opts));
    expect(messagesOf(await stack.preview(), "error").join()).toContain(
      "the id is neither that of a channel nor",
    );
    opts = { import: id };
    expect((await stack.up()).failed).toBe(false);
    opts = {};
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    expect(await stack.state()).toMatchObject([
      { id, outputs: { channelId: id, label: "Ops on-call", value: "[secret]" } },
    ]);
    expect(emulator.requests).toEqual([]);
  });

  test("records a channel whose answer could not be read, and completes it without another one", async () => {
    emulator.fault({
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
    expect(emulator.requests).toHaveLength(1);
  });

  test("is refused bad input in its preview, a failing create and a destroy where onOrphan is error, each in one line", async () => {
    let args: object = { ...ops, label: "x", onOrphan: "error" };
    const stack = await start(() => new Channel("ops", args));
    expect(messagesOf(await stack.preview(), "error")).toEqual([
      expect.stringContaining("label has a length of 1: give it 3 to 100 characters"),
    ]);
    args = {};
    expect(messagesOf(await stack.preview(), "error").join()).toContain("domainId is missing");
    args = { ...ops, onOrphan: "error" };
    emulator.fault({ operation: "createNotificationChannel", status: 422, times: 1 });
    expect(messagesOf(await stack.up(), "error")).toContainEqual(expect.stringContaining("422"));
    expect((await stack.up()).failed).toBe(false);
    const refused = await stack.destroy();
    expect(refused.failed).toBe(true);
    expect(messagesOf(refused, "error")).toContainEqual(
      expect.stringContaining('onOrphan is "error", so this is refused'),
    );
  });

  test("is refused a token in plain text, with the command that mends it, and records it nowhere but where it stood", async () => {
    const stack = await create({
      plugin,
      config: { "domain-monitoring:baseUrl": emulator.url, "domain-monitoring:apiToken": TOKEN },
      program: async () => void new Channel("ops", ops),
    });
    for (const run of [stack.preview, stack.up])
      expect(messagesOf(await run(), "error")).toEqual([
        expect.stringContaining("pulumi config set --secret domain-monitoring:apiToken"),
      ]);
    // The stack's configuration itself, and its copy in the engine's history.
    const configured = /domain-monitoring:apiToken"?: ?"?token-secret-0123456789/g;
    const written = stack.written();
    expect(written.match(configured)).toHaveLength(2);
    const recorded = written.replace(configured, "");
    expect(recorded).toContain("pulumi:providers:domain-monitoring");
    expect(recorded).not.toContain(TOKEN);
    expect(recorded).not.toContain(Buffer.from(TOKEN).toString("base64"));
    expect(emulator.requests).toEqual([]);
  });

  test("uses another account by an explicit provider, whose token is encrypted whatever the program did", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN });
    let maxRetries = 1;
    const stack = await start(() => {
      const inputs = { baseUrl: other.url, apiToken: OTHER_TOKEN, maxRetries: JSON.stringify(maxRetries) };
      const provider = new (class extends pulumi.ProviderResource {})("domain-monitoring", "other", inputs);
      new Channel("ops", ops, { provider });
      const { domain } = pulumi.output({ domain: invoke("getDomain", { id: DOMAIN }, { provider }) });
      return { name: domain.apply((found) => found?.domain) };
    }, [OTHER_TOKEN]);
    expect(await stack.up()).toMatchObject({ failed: false, outputs: { name: { value: "example.com" } } });
    maxRetries = 2;
    expect((await stack.up()).changes).toEqual({ same: 1, update: 1 });
    expect(other.channels()).toHaveLength(1);
    expect(emulator.requests).toEqual([]);
  });

  test("gives an explicit provider its account by envVarMappings", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN });
    const stack = await create({
      plugin,
      config: { "domain-monitoring:baseUrl": emulator.url },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      env: { EU_URL: other.url, EU_TOKEN: OTHER_TOKEN },
      program: async () => {
        const envVarMappings = {
          EU_URL: "DOMAIN_MONITORING_BASE_URL",
          EU_TOKEN: "DOMAIN_MONITORING_API_TOKEN",
        };
        const provider = new (class extends pulumi.ProviderResource {})(
          "domain-monitoring",
          "eu",
          {},
          {
            envVarMappings,
          },
        );
        new Channel("ops", ops, { provider });
      },
    });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 2 }, diagnostics: [] });
    expect(other.channels()).toHaveLength(1);
    expect(emulator.requests).toEqual([]);
  });

  test("gives an explicit provider its token by envVarMappings of the variable that it names", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN });
    const stack = await create({
      plugin,
      config: { "domain-monitoring:baseUrl": emulator.url },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [OTHER_TOKEN],
      env: { EU_TOKEN: OTHER_TOKEN },
      program: async () => {
        const provider = new (class extends pulumi.ProviderResource {})(
          "domain-monitoring",
          "eu",
          { baseUrl: other.url, apiTokenVariable: "TOKEN_OF_ACCOUNT" },
          { envVarMappings: { EU_TOKEN: "TOKEN_OF_ACCOUNT" } },
        );
        new Channel("ops", ops, { provider });
        return {
          name: pulumi
            .output(invoke("getDomain", { id: DOMAIN }, { provider }))
            .apply(({ domain }) => domain),
        };
      },
    });
    expect(await stack.up()).toMatchObject({
      failed: false,
      changes: { create: 2 },
      diagnostics: [],
      outputs: { name: { value: "example.com", secret: false } },
    });
    expect(other.channels()).toHaveLength(1);
    expect(emulator.requests).toEqual([]);
    const [provider] = (await stack.state()).filter(({ urn }) =>
      urn.includes("pulumi:providers:domain-monitoring::eu"),
    );
    expect(provider?.inputs).toMatchObject({ baseUrl: other.url, apiTokenVariable: "TOKEN_OF_ACCOUNT" });
    expect(provider?.inputs).not.toHaveProperty("apiToken");
  });

  test("uses an explicit provider's account even if it is called as the engine calls its own", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN });
    const account = { baseUrl: other.url, apiToken: OTHER_TOKEN };
    const stack = await start(() => {
      const provider = new (class extends pulumi.ProviderResource {})(
        "domain-monitoring",
        "default",
        account,
      );
      new Channel("ops", ops, { provider });
    }, [OTHER_TOKEN]);
    expect(await stack.up()).toMatchObject({ failed: false, diagnostics: [] });
    expect(other.channels()).toHaveLength(1);
    expect(emulator.requests).toEqual([]);
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
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(["getDomain"]);
    const { outputs } = await stack.up();
    expect(outputs).toMatchObject({
      expiry: { value: { domain: "example.com", status: "expiring" }, secret: false },
      total: { value: expect.any(Number) },
    });
  });

  test("takes over a dynamic stack's explicit provider as another resource, and its channels without a change", async () => {
    const account = { baseUrl: emulator.url, apiToken: TOKEN };
    let form: "dynamic" | "plugin" = "dynamic";
    const stack = await start(() => {
      if (form === "dynamic") new NotificationChannel("ops", ops, { provider: new Provider("own", account) });
      else {
        const provider = new (class extends pulumi.ProviderResource {})("domain-monitoring", "own", account);
        new Channel("ops", ops, { provider });
      }
    });
    await stack.up();
    form = "plugin";
    for (const run of [stack.preview, stack.up])
      expect(await run()).toMatchObject({
        failed: false,
        changes: { create: 1, same: 1, delete: 1 },
        diagnostics: [],
      });
    expect(emulator.requests.map(({ method }) => method)).toEqual(["POST"]);
  });
});
