/** Where the plugin's settings come from, and what the engine is told about them; the order is proven in test/config.test.ts. */
import { UNKNOWN } from "../../src/common/markers";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { slackChannel, TOKEN } from "../provider/support/channels";
import { CallFailure } from "../support/provider-client";
import { PluginProcess, secret } from "./support/plugin-process";

let emulator: Emulator;
let plugin: PluginProcess;

beforeAll(async () => {
  emulator = await startEmulator({ token: TOKEN });
  // The second is none: without it on some computer, a destroy there would leave every channel behind.
  const env = { DOMAIN_MONITORING_API_TOKEN: TOKEN, DOMAIN_MONITORING_LIFECYCLE: "managed" };
  plugin = await PluginProcess.start({ env });
});

beforeEach(() => emulator.reset());

afterEach(() => expect(plugin.printed).toBe(""));

afterAll(async () => {
  await plugin.stop();
  await emulator.close();
});

async function reasons(): Promise<string[]> {
  return (await plugin.check(slackChannel)).failures.map(({ reason }) => reason);
}

describe("the settings of the stack", () => {
  test("are sent by the engine with the token as a secret; what is left out comes from the environment", async () => {
    await plugin.configure({ baseUrl: emulator.url });
    expect((await plugin.create(slackChannel)).id).toBe(emulator.channels()[0]?.id);
    await plugin.configure({ baseUrl: emulator.url, apiToken: secret("wrong") });
    await expect(plugin.create(slackChannel)).rejects.toThrow("401");
  });

  test("are recorded with the token sealed, whatever stack config has, and are read again", async () => {
    const settings = { baseUrl: emulator.url, apiToken: TOKEN };
    const started = await PluginProcess.start({ env: { PULUMI_CONFIG: JSON.stringify(settings) } });
    const { inputs, failures } = await started.checkConfig(settings);
    await started.stop();
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ baseUrl: emulator.url, apiToken: { token: secret(TOKEN) } });
    // The engine marks it as a whole where it is a secret of stack config.
    await plugin.configure({ ...inputs, apiToken: secret(inputs.apiToken) });
    await plugin.create(slackChannel);
    expect(emulator.channels()).toHaveLength(1);
  });

  test("are recorded as the stack's without a token, too, which then comes from the environment", async () => {
    const baseUrl = emulator.url;
    const started = await PluginProcess.start({ env: { PULUMI_CONFIG: JSON.stringify({ baseUrl }) } });
    const { inputs } = await started.checkConfig({ baseUrl, version: "0.1.0" });
    await started.stop();
    expect(inputs).toEqual({ baseUrl, version: "0.1.0", apiToken: {} });
  });

  describe("with the token in plain text", () => {
    let fresh: PluginProcess;
    beforeEach(async () => {
      const PULUMI_CONFIG = JSON.stringify({ baseUrl: emulator.url, apiToken: TOKEN });
      fresh = await PluginProcess.start({ env: { PULUMI_CONFIG } });
    });
    afterEach(() => fresh.stop());

    test.each([
      ["sealed by the plugin alone", { token: secret(TOKEN) }],
      ["as an import by command records it", TOKEN],
    ])("are refused, %s, in one line with the command that mends it", async (_how, apiToken) => {
      await fresh.checkConfig({ baseUrl: emulator.url, apiToken: TOKEN });
      const refused = fresh.configure({ baseUrl: emulator.url, apiToken });
      await expect(refused).rejects.toThrow(CallFailure);
      await expect(refused).rejects.toThrow(
        "stack config domain-monitoring:apiToken holds the API token in plaintext: run `pulumi config set --secret domain-monitoring:apiToken`",
      );
      await expect(refused).rejects.not.toThrow(TOKEN);
    });

    test("are taken where they are what is recorded, so that a refused update does not keep anybody from a destroy", async () => {
      await fresh.configure({ baseUrl: emulator.url, apiToken: { token: secret(TOKEN) } });
      await fresh.create(slackChannel);
      expect(emulator.channels()).toHaveLength(1);
    });
  });

  test("that are missing or not valid are named at the check of each channel, as in the dynamic form", async () => {
    await plugin.configure({});
    expect(await reasons()).toEqual([
      "the base address of the service is not set: run `pulumi config set domain-monitoring:baseUrl https://…` or set the environment variable DOMAIN_MONITORING_BASE_URL",
    ]);
    await plugin.configure({ baseUrl: emulator.url, maxRetries: "many" });
    expect(await reasons()).toEqual([
      "stack config domain-monitoring:maxRetries is not a whole number from 0 to 100: correct it or remove it",
    ]);
  });
});

describe("an explicit provider", () => {
  const explicit = true;

  test("has its token sealed whatever the program did, and takes numbers as the SDKs send them", async () => {
    const settings = { baseUrl: emulator.url, apiToken: TOKEN, maxRetries: "1" };
    const { inputs, failures } = await plugin.checkConfig(settings, { explicit });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ ...settings, apiToken: secret(TOKEN) });
    await plugin.configure(inputs, { explicit });
    await plugin.create(slackChannel);
    expect(emulator.channels()).toHaveLength(1);
  });

  test("with a base address and without a token is refused: another account's token would be sent to it", async () => {
    const missing =
      "argument apiToken of a Provider is missing: give the token of the account at its baseUrl, or by apiTokenVariable the name of the environment variable that has it";
    for (const baseUrl of [emulator.url, UNKNOWN])
      expect((await plugin.checkConfig({ baseUrl }, { explicit })).failures).toEqual([
        { property: "", reason: missing },
      ]);
    // `pulumi do` only configures.
    await plugin.configure({ baseUrl: emulator.url }, { explicit });
    expect(await reasons()).toEqual([expect.stringContaining("argument apiToken: ")]);
    const { failures } = await plugin.checkConfig({ baseUrl: "", apiToken: "" }, { explicit });
    expect(failures).toEqual([
      { property: "", reason: "argument baseUrl of a Provider is empty: give the account's own" },
      { property: "", reason: "argument apiToken of a Provider is empty: give the account's own" },
    ]);
  });

  test("takes its token from the variable that it names, at each start, and no other in its place", async () => {
    const args = { baseUrl: emulator.url, apiTokenVariable: "EU_TOKEN" };
    const { inputs, failures } = await plugin.checkConfig(args, { explicit });
    expect({ inputs, failures }).toEqual({ inputs: args, failures: [] });
    const started = await PluginProcess.start({
      env: { EU_TOKEN: TOKEN, DOMAIN_MONITORING_API_TOKEN: "other" },
    });
    try {
      await started.configure(inputs, { explicit });
      await started.create(slackChannel);
      expect(emulator.channels()).toHaveLength(1);
    } finally {
      await started.stop();
    }
    // The environment of this one has the stack's token only.
    await plugin.configure(inputs, { explicit });
    expect(await reasons()).toEqual([
      "the environment variable EU_TOKEN is not set, which argument apiTokenVariable names: set it to the API token",
    ]);
    await expect(plugin.create(slackChannel)).rejects.toThrow("the environment variable EU_TOKEN is not set");
    expect(emulator.channels()).toHaveLength(1);
  });

  test.each([
    [
      { apiToken: TOKEN, apiTokenVariable: "EU_TOKEN" },
      "a Provider has the arguments apiToken and apiTokenVariable: remove one of them",
    ],
    [{ apiTokenVariable: "" }, "argument apiTokenVariable of a Provider is empty: give the account's own"],
  ])("is refused with %j", async (args, reason) => {
    const given = { baseUrl: emulator.url, ...args };
    expect((await plugin.checkConfig(given, { explicit })).failures).toEqual([{ property: "", reason }]);
  });

  test("takes what it leaves out from the environment, and is told what is in neither", async () => {
    const environment = { DOMAIN_MONITORING_BASE_URL: emulator.url, DOMAIN_MONITORING_API_TOKEN: TOKEN };
    const mapped = await PluginProcess.start({ env: environment });
    try {
      for (const args of [{}, { apiToken: TOKEN }, { apiToken: UNKNOWN }])
        expect((await mapped.checkConfig(args, { explicit })).failures).toEqual([]);
      const { inputs } = await mapped.checkConfig({}, { explicit });
      await mapped.configure(inputs, { explicit });
      await mapped.create(slackChannel);
      expect(emulator.channels()).toHaveLength(1);
    } finally {
      await mapped.stop();
    }
    // The environment of this one has a token only.
    expect((await plugin.checkConfig({}, { explicit })).failures).toEqual([
      {
        property: "",
        reason:
          "argument baseUrl of a Provider is missing: give it, or set the environment variable DOMAIN_MONITORING_BASE_URL",
      },
    ]);
  });

  test("is named as such where an argument is not valid", async () => {
    const settings = { baseUrl: emulator.url, apiToken: secret(TOKEN), timeoutSeconds: "soon" };
    await plugin.configure(settings, { explicit });
    expect(await reasons()).toEqual([
      "argument timeoutSeconds is not a number from 0.001 to 2000000: correct it or remove it",
    ]);
  });
});

describe("the channels that a delete lets go", () => {
  const recorded = { ...slackChannel, channelId: "channel-1", onOrphan: "error" };
  const account = { baseUrl: "http://127.0.0.1:1", apiToken: secret(TOKEN) };

  test.each([
    ["the stack, as it is now", { abandon: "channel-1" }, false, {}],
    ["the stack, as the last update recorded it", {}, false, { abandon: "channel-1" }],
    ["the stack, for an explicit provider", { abandon: "channel-1" }, true, {}],
  ])("are named by %s", async (_case, config, explicit, args) => {
    const started = await PluginProcess.start({ env: { PULUMI_CONFIG: JSON.stringify(config) } });
    try {
      await started.configure({ ...account, ...args }, { explicit });
      await started.delete("channel-1", recorded);
      expect(started.logged.map(({ message }) => message)).toEqual([
        expect.stringContaining("leaves this stack, as stack config domain-monitoring:abandon lists it"),
      ]);
      await expect(started.delete("channel-2", recorded)).rejects.toThrow(
        /domain-monitoring:abandon channel-1,channel-2/,
      );
    } finally {
      await started.stop();
    }
  });
});

describe("the lifecycle", () => {
  const explicit = true;
  let ofStack: PluginProcess;

  beforeAll(async () => {
    // As the engine starts a plugin: with the configuration of the stack under the plugin's name.
    const PULUMI_CONFIG = JSON.stringify({ lifecycle: "managed", apiToken: "not-this-one" });
    ofStack = await PluginProcess.start({ env: { PULUMI_CONFIG } });
  });
  afterAll(() => ofStack.stop());

  async function lifecycle(of: PluginProcess, declared: object = {}): Promise<unknown> {
    const { inputs, failures } = await of.check({ ...slackChannel, ...declared });
    return failures.length > 0 ? failures.map(({ reason }) => reason) : inputs.lifecycle;
  }

  test("is the channel's own, then that of the stack, and never the environment's; create-only is not recorded", async () => {
    const stack = { baseUrl: emulator.url, apiToken: secret(TOKEN) };
    await plugin.configure(stack);
    expect(await lifecycle(plugin)).toBeUndefined();
    expect(await lifecycle(plugin, { lifecycle: "managed" })).toBe("managed");
    await plugin.configure({ ...stack, lifecycle: "managed" });
    expect(await lifecycle(plugin)).toBe("managed");
    expect(await lifecycle(plugin, { lifecycle: "create-only" })).toBeUndefined();
    await plugin.configure({ ...stack, lifecycle: "automatic" });
    expect(await lifecycle(plugin)).toEqual([
      "stack config domain-monitoring:lifecycle is not a valid lifecycle: use create-only or managed",
    ]);
  });

  test("is an explicit provider's own, then that of the stack, of which it takes nothing else", async () => {
    const account = { baseUrl: emulator.url, apiToken: secret(TOKEN) };
    await ofStack.configure(account, { explicit });
    expect(await lifecycle(ofStack)).toBe("managed");
    await ofStack.configure({ ...account, lifecycle: "create-only" }, { explicit });
    expect(await lifecycle(ofStack)).toBeUndefined();
    await ofStack.configure({ baseUrl: emulator.url }, { explicit });
    expect(await lifecycle(ofStack)).toEqual([expect.stringContaining("argument apiToken: ")]);
  });

  test("that is not valid is refused among an explicit provider's arguments, and one that is not known yet is not", async () => {
    const account = { baseUrl: emulator.url, apiToken: TOKEN };
    const given = async (value: unknown) =>
      (await plugin.checkConfig({ ...account, lifecycle: value }, { explicit })).failures;
    expect(await given("automatic")).toEqual([
      { property: "", reason: "argument lifecycle is not a valid lifecycle: use create-only or managed" },
    ]);
    for (const value of ["managed", "create-only", null, UNKNOWN]) expect(await given(value)).toEqual([]);
  });
});

describe("a change of settings", () => {
  const before = { baseUrl: "https://one.example.com", apiToken: TOKEN };
  const other = { baseUrl: "https://two.example.com" };
  const explicit = true;
  const update = (...diffs: string[]) => ({ changes: "some", diffs, replaces: [] });

  test.each([
    ["none, which the engine finds out", { ...before }, { changes: "unknown", diffs: [], replaces: [] }],
    ["another token", { ...before, apiToken: "rotated" }, update("apiToken")],
    ["more retries", { ...before, maxRetries: "5" }, update("maxRetries")],
    [
      "an address that means the same",
      { ...before, baseUrl: "https://ONE.example.com:443/" },
      update("baseUrl"),
    ],
    [
      "an address that cannot be used",
      { ...before, baseUrl: "one" },
      { changes: "some", replaces: ["baseUrl"] },
    ],
    [
      "another address",
      { ...before, ...other },
      { changes: "some", diffs: ["baseUrl"], replaces: ["baseUrl"] },
    ],
    [
      "one that is not known yet",
      { ...before, baseUrl: UNKNOWN },
      { changes: "some", replaces: ["baseUrl"] },
    ],
  ])(
    "of an explicit provider replaces its channels if it is another account: %s",
    async (_what, after, expected) => {
      expect(await plugin.diffConfig(before, after, { explicit })).toMatchObject(expected);
    },
  );

  test("of stack config replaces none: the engine's own provider follows it", async () => {
    const sealed = { ...before, apiToken: { token: TOKEN } };
    expect(await plugin.diffConfig(sealed, { ...sealed, ...other })).toEqual(update("baseUrl"));
    // Recorded by `pulumi import`, or sealed: that is no other account.
    expect(await plugin.diffConfig(before, sealed)).toMatchObject({ replaces: [] });
  });

  test("is told once, to a provider that is used: of one that is not, nothing is created or deleted", async () => {
    const fresh = await PluginProcess.start();
    try {
      await fresh.diffConfig(before, { ...before, ...other }, { explicit });
      expect(fresh.logged).toEqual([]);
      await fresh.configure({ ...other, apiToken: secret(TOKEN) }, { explicit });
      for (const _channel of ["first", "second"])
        await fresh.diffConfig(before, { ...before, ...other }, { explicit });
      const message = expect.stringContaining(
        "Another base address is another account: channels are created in this one",
      );
      expect(fresh.logged).toMatchObject([{ message }]);
    } finally {
      await fresh.stop();
    }
  });

  test("is another account, too, for a channel that comes from an explicit provider to that of the stack", async () => {
    await plugin.configure({ ...before, apiToken: secret({ token: secret(TOKEN) }) });
    const sealed = { ...other, apiToken: { token: TOKEN } };
    expect(await plugin.diffConfig(before, sealed)).toMatchObject({ replaces: ["baseUrl"] });
  });

  test("is none for a channel that comes from the dynamic provider, whose arguments have other names", async () => {
    const dynamic = { "domain-monitoring:baseUrl": before.baseUrl, "domain-monitoring:apiToken": TOKEN };
    expect(await plugin.diffConfig(dynamic, { ...before, ...other }, { explicit })).toMatchObject({
      replaces: [],
    });
    expect(await plugin.diffConfig(dynamic, { ...before, ...other })).toMatchObject({ replaces: [] });
  });
});

describe("a provider's name", () => {
  const names = ["default", "default_0_1_0", "default_0_1_0_alpha_1", "default_https_//plugins.example.com"];
  let ofStack: PluginProcess;
  let settings: { baseUrl: string; apiToken: string };

  beforeAll(async () => {
    settings = { baseUrl: emulator.url, apiToken: TOKEN };
    ofStack = await PluginProcess.start({ env: { PULUMI_CONFIG: JSON.stringify(settings) } });
  });
  afterAll(() => ofStack.stop());

  test.each(names)("%s is what the engine calls its own, with the settings of the stack", async (name) => {
    const { inputs } = await ofStack.checkConfig({ ...settings, version: "0.1.0" }, { name });
    expect(inputs).toMatchObject({ apiToken: { token: secret(TOKEN) } });
    // What is recorded may be of an earlier configuration.
    await plugin.configure({ ...inputs, apiToken: secret(inputs.apiToken), baseUrl: emulator.url }, { name });
    await plugin.create(slackChannel);
    expect(emulator.channels()).toHaveLength(1);
  });

  test.each(["default", "default_eu", "default-eu", "defaults", "my-default_0_1_0"])(
    "%s of an explicit one does not make it the engine's own",
    async (name) => {
      for (const given of [{}, { baseUrl: "", apiToken: "" }])
        expect((await ofStack.checkConfig(given, { name })).failures).toHaveLength(2);
      const { failures } = await ofStack.checkConfig({ baseUrl: "https://other.example.com" }, { name });
      expect(failures).toHaveLength(1);
      const account = { baseUrl: "https://other.example.com", apiToken: "other" };
      for (const process of [plugin, ofStack])
        expect((await process.checkConfig(account, { name })).inputs).toMatchObject({
          apiToken: secret("other"),
        });
    },
  );
});

test("The handshake is not implemented, as the engine takes it for a yes to creates in previews", async () => {
  await expect(plugin.handshake()).rejects.toMatchObject({ code: 12 });
});
