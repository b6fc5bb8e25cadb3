/**
 * Where the plugin's settings come from, and how problems are reported to the engine. Their order
 * is tested in test/config.test.ts.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { type Properties, UNKNOWN } from "../../src/provider/boundary";
import { slackChannel, TOKEN } from "../provider/support/channels";
import { environmentFor } from "../support/account";
import { PluginProcess, refusalOf, secret } from "./support/plugin-process";

let emulator: Emulator;
/** Its environment has the stack's token. */
let plugin: PluginProcess;
let stack: { baseUrl: string; apiToken: string };
/** Plugins that one test started. */
const started: PluginProcess[] = [];

beforeAll(async () => {
  emulator = await startEmulator({ token: TOKEN });
  stack = { baseUrl: emulator.url, apiToken: TOKEN };
  // DOMAIN_MONITORING_LIFECYCLE is not a setting: on a computer without it, a destroy would leave
  // every channel behind.
  const env = { DOMAIN_MONITORING_API_TOKEN: TOKEN, DOMAIN_MONITORING_LIFECYCLE: "managed" };
  plugin = await PluginProcess.start({ env });
});

beforeEach(() => emulator.reset());

afterEach(async () => {
  expect(plugin.printed).toBe("");
  await Promise.all(started.splice(0).map((one) => one.stop()));
});

afterAll(async () => {
  await plugin.stop();
  await emulator.close();
});

async function start(env: Record<string, string>): Promise<PluginProcess> {
  const one = await PluginProcess.start({ env });
  started.push(one);
  return one;
}

/** Starts like the engine does: with the stack's configuration under the plugin's name. */
function startWith(config: object): Promise<PluginProcess> {
  return start({ PULUMI_CONFIG: JSON.stringify(config) });
}

async function reasons(of = plugin): Promise<string[]> {
  return (await of.check(slackChannel)).failures.map(({ reason }) => reason);
}

async function expectCreated(by: PluginProcess): Promise<void> {
  await by.create(slackChannel);
  expect(emulator.channels()).toHaveLength(1);
}

describe("the settings of the stack", () => {
  test("are sent by the engine with the token as a secret; what is left out comes from the environment", async () => {
    await plugin.configure({ baseUrl: emulator.url });
    expect((await plugin.create(slackChannel)).id).toBe(emulator.channels()[0]?.id);
    await plugin.configure({ baseUrl: emulator.url, apiToken: secret("wrong") });
    await expect(plugin.create(slackChannel)).rejects.toThrow("401");
  });

  test("are refused if the token in the environment belongs to another address", async () => {
    const env = {
      DOMAIN_MONITORING_API_TOKEN: TOKEN,
      DOMAIN_MONITORING_BASE_URL: "https://other.example.com",
    };
    const pipeline = await start(env);
    await pipeline.configure({ baseUrl: emulator.url });
    const [problem, ...others] = await reasons(pipeline);

    expect(problem).toMatch(
      /DOMAIN_MONITORING_API_TOKEN .* DOMAIN_MONITORING_BASE_URL, .*domain-monitoring:baseUrl /,
    );
    expect(others).toEqual([]);
    await expect(pipeline.create(slackChannel)).rejects.toThrow(problem);
    expect(emulator.requests).toEqual([]);

    await pipeline.configure({ baseUrl: "https://OTHER.example.com:443/" });
    expect(await reasons(pipeline)).toEqual([]);
  });

  test("are recorded as the stack's even if the token comes from the environment", async () => {
    const { baseUrl } = stack;
    const own = await startWith({ baseUrl });
    const { inputs } = await own.checkConfig({ baseUrl, version: "0.1.0" });

    expect(inputs).toEqual({ baseUrl, version: "0.1.0", usesStackConfig: true });
  });

  test("settings with the token in plain text are accepted as they are recorded, so that a destroy works, and then refused", async () => {
    const fresh = await startWith(stack);
    const sealed = { token: secret(TOKEN) };
    await fresh.configure({ ...stack, apiToken: sealed });
    await expectCreated(fresh);
    await fresh.checkConfig(stack);
    // As this plugin seals it, and as an import by command records it.
    for (const [apiToken, provider] of [
      [sealed, {}],
      [TOKEN, { name: "default_0_1_0" }],
    ] as const)
      expect(
        (await refusalOf(fresh.configure({ ...stack, apiToken }, provider))).message,
      ).toContain(
        "stack config domain-monitoring:apiToken holds the API token in plaintext: run `pulumi config set --secret domain-monitoring:apiToken`",
      );
  });
});

describe("an explicit provider", () => {
  const explicit = true;

  test("has its token sealed whatever the program did, and takes numbers as the SDKs send them", async () => {
    const settings = { ...stack, maxRetries: "1" };
    const { inputs, failures } = await plugin.checkConfig(settings, { explicit });

    expect({ inputs, failures }).toEqual({
      inputs: { ...settings, apiToken: secret(TOKEN) },
      failures: [],
    });

    await plugin.configure(inputs, { explicit });
    await expectCreated(plugin);
  });

  // The token of the environment would otherwise go to another account's base address.
  const withoutToken =
    "argument apiToken of a Provider is missing: pass the token of the account at its baseUrl";

  const withoutAddress =
    "argument baseUrl of a Provider is missing: give it, or set the environment variable DOMAIN_MONITORING_BASE_URL";

  const empty = (name: string) => `argument ${name} of a Provider is empty: give the account's own`;
  const baseUrl = "https://other.example.com";
  test.each<[Properties, string[]]>([
    [{ baseUrl }, [withoutToken]],
    [{ baseUrl: "", apiToken: "" }, [empty("baseUrl"), empty("apiToken")]],
    [{ apiToken: TOKEN }, [withoutAddress]],
    // This plugin's environment has only a token.
    [{}, [withoutAddress]],
    [
      { baseUrl, apiToken: TOKEN, lifecycle: "automatic" },
      ["argument lifecycle is not a valid lifecycle: use create-only or managed"],
    ],
  ])("is refused with %j", async (args, expected) => {
    const { failures } = await plugin.checkConfig(args, { explicit });
    expect(failures).toEqual(expected.map((reason) => ({ property: "", reason })));
  });

  test.each<[name: string, value: string]>([
    ["baseUrl", "ftp://other.example"],
    ["apiToken", "two words"],
    ["timeoutSeconds", "0"],
    ["maxRetries", "many"],
    ["concurrency", "-1"],
    ["movedFrom", "elsewhere"],
  ])("a resource is refused with the argument %s if it cannot be used", async (name, value) => {
    const apiToken = secret(name === "apiToken" ? value : TOKEN);
    await plugin.configure({ ...stack, [name]: value, apiToken }, { explicit });

    const message = expect.stringMatching(new RegExp(`^argument ${name}(:| is not a )`));
    expect(await reasons()).toEqual([message]);
  });

  test("an explicit provider that `pulumi do` does not check takes no token from the environment", async () => {
    await plugin.configure({ baseUrl: emulator.url }, { explicit });
    expect(await reasons()).toEqual([expect.stringContaining("argument apiToken: ")]);
  });

  test("takes what it leaves out from the environment", async () => {
    const mapped = await start(environmentFor(emulator));

    for (const args of [{ apiToken: TOKEN }, { apiToken: UNKNOWN }, {}]) {
      const { inputs, failures } = await mapped.checkConfig(args, { explicit });
      expect(failures).toEqual([]);
      await mapped.configure(inputs, { explicit });
    }

    await expectCreated(mapped);
  });
});

const recorded = { ...slackChannel, channelId: "channel-1", lifecycle: "managed" };
const refused = "22222222-2222-4222-8222-222222222222";
const list = '["channel-1"]';

test.each<[config: object, given: [explicit: boolean, args: object][]]>([
  [
    { abandon: "channel-1" },
    [
      [false, {}],
      [true, {}],
    ],
  ],
  [{ abandon: list }, [[false, {}]]],
  // As the last update recorded it, and of an explicit provider.
  [
    {},
    [
      [false, { abandon: "channel-1" }],
      [true, { abandon: list }],
    ],
  ],
])("the channels that the settings abandon are named by a stack with %j", async (config, given) => {
  const own = await startWith(config);
  await using service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
  for (const [explicit, args] of given) {
    service.fault({ operation: "deleteNotificationChannel", status: 403 });
    own.logged.length = 0;
    const account = { baseUrl: service.url, apiToken: secret(TOKEN) };
    await own.configure({ ...account, ...args }, { explicit });
    await own.delete("channel-1", recorded);
    const message = expect.stringContaining("stays in the service");
    expect(own.logged).toMatchObject([{ message }]);
    await expect(own.delete(refused, recorded)).rejects.toThrow(
      `domain-monitoring:abandon channel-1,${refused}`,
    );
  }
});

describe("the lifecycle", () => {
  const explicit = true;

  async function lifecycle(of: PluginProcess, declared: object = {}): Promise<unknown> {
    const { inputs, failures } = await of.check({ ...slackChannel, ...declared });
    return failures.length > 0 ? failures.map(({ reason }) => reason) : inputs.lifecycle;
  }

  test("is the channel's own or the stack's, never the environment's", async () => {
    const recorded = { baseUrl: emulator.url, apiToken: secret(TOKEN) };
    await plugin.configure(recorded);

    expect(await lifecycle(plugin)).toBeUndefined();
    expect(await lifecycle(plugin, { lifecycle: "managed" })).toBe("managed");

    await plugin.configure({ ...recorded, lifecycle: "managed" });
    expect(await lifecycle(plugin)).toBe("managed");
    expect(await lifecycle(plugin, { lifecycle: "create-only" })).toBeUndefined();

    await plugin.configure({ ...recorded, lifecycle: "automatic" });
    expect(await lifecycle(plugin)).toEqual([
      "stack config domain-monitoring:lifecycle is not a valid lifecycle: use create-only or managed",
    ]);
  });

  test("is an explicit provider's own, or the stack's", async () => {
    const ofStack = await startWith({ lifecycle: "managed", apiToken: "not-this-one" });
    const account = { baseUrl: emulator.url, apiToken: secret(TOKEN) };
    await ofStack.configure(account, { explicit });

    expect(await lifecycle(ofStack)).toBe("managed");

    await ofStack.configure({ ...account, lifecycle: "create-only" }, { explicit });
    expect(await lifecycle(ofStack)).toBeUndefined();

    await ofStack.configure({ baseUrl: emulator.url }, { explicit });
    expect(await lifecycle(ofStack)).toEqual([expect.stringContaining("argument apiToken: ")]);
  });
});

describe("a change of settings", () => {
  const before = { baseUrl: "https://one.example.com", apiToken: TOKEN };
  const other = { baseUrl: "https://two.example.com" };
  const explicit = true;

  test.each<[string, Properties, string[]]>([
    ["another token", { apiToken: "rotated" }, []],
    ["more retries", { maxRetries: "5" }, []],
    ["an address that means the same", { baseUrl: "https://ONE.example.com:443/" }, []],
    ["an address that cannot be used", { baseUrl: "one" }, ["baseUrl"]],
    ["another address", other, ["baseUrl"]],
    ["one that is not known yet", { baseUrl: UNKNOWN }, ["baseUrl"]],
  ])(
    "a change of an explicit provider's settings replaces its channels if it is another account: %s",
    async (_what, change, replaces) => {
      const diff = await plugin.diffConfig(before, { ...before, ...change }, { explicit });
      expect(diff).toEqual({ changes: "some", diffs: Object.keys(change), replaces });
    },
  );

  test("equal settings are left for the engine to compare", async () => {
    const unknown = { changes: "unknown", diffs: [], replaces: [] };
    expect(await plugin.diffConfig(before, before, { explicit })).toEqual(unknown);
  });

  test("a change of stack config replaces no channel: the engine's own provider follows it", async () => {
    const sealed = { ...before, apiToken: { token: TOKEN }, usesStackConfig: true };
    expect(await plugin.diffConfig(sealed, { ...sealed, ...other })).toMatchObject({
      replaces: [],
    });

    // A record written by `pulumi import` and a sealed one are the same account.
    expect(await plugin.diffConfig(before, sealed)).toMatchObject({ replaces: [] });

    const fresh = await start({});
    expect(await fresh.diffConfig(before, { ...sealed, ...other })).toMatchObject({ replaces: [] });
  });

  test("is reported once by a provider that is used", async () => {
    const fresh = await start({});
    await fresh.diffConfig(before, { ...before, ...other }, { explicit });

    expect(fresh.logged).toEqual([]);

    await fresh.configure({ ...other, apiToken: secret(TOKEN) }, { explicit });
    for (const _channel of ["first", "second"])
      await fresh.diffConfig(before, { ...before, ...other }, { explicit });

    const message = expect.stringContaining("Another base address is another account");
    expect(fresh.logged).toMatchObject([{ message }]);
  });

  test("counts as another account if a channel leaves its explicit provider", async () => {
    await plugin.configure({ ...before, apiToken: secret({ token: secret(TOKEN) }) });
    const sealed = { ...other, apiToken: { token: TOKEN }, usesStackConfig: true };
    expect(await plugin.diffConfig(before, sealed)).toMatchObject({ replaces: ["baseUrl"] });
  });

  test("is none for a channel that comes from the dynamic provider, whose arguments have other names", async () => {
    const dynamic = {
      "domain-monitoring:argument.baseUrl": before.baseUrl,
      "domain-monitoring:argument.apiToken": TOKEN,
    };

    for (const provider of [{ explicit }, {}])
      expect(await plugin.diffConfig(dynamic, { ...before, ...other }, provider)).toMatchObject({
        replaces: [],
      });
  });
});

describe("a provider's name", () => {
  let ofStack: PluginProcess;
  beforeAll(async () => {
    ofStack = await PluginProcess.start({ env: { PULUMI_CONFIG: JSON.stringify(stack) } });
  });

  afterAll(() => ofStack.stop());

  test.each([
    "default",
    "default_0_1_0",
    "default_0_1_0_alpha_1",
    "default_https_//plugins.example.com",
  ])("%s is the engine's own, with the stack's settings and a sealed token", async (name) => {
    const given = { ...stack, version: "0.1.0" };
    const { inputs, failures } = await ofStack.checkConfig(given, { name });
    const apiToken = { token: secret(TOKEN) };
    const sealed = { ...given, apiToken, usesStackConfig: true };
    expect({ inputs, failures }).toEqual({ inputs: sealed, failures: [] });

    // Recorded settings may come from an earlier configuration. The engine marks the whole value as
    // secret if stack config has it as a secret.
    await plugin.configure({ ...inputs, apiToken: secret(inputs.apiToken) }, { name });
    await expectCreated(plugin);
  });

  test.each(["default", "default_eu", "default-eu", "defaults", "my-default_0_1_0"])(
    "%s may be explicit",
    async (name) => {
      for (const given of [{}, { baseUrl: "", apiToken: "" }])
        expect((await ofStack.checkConfig(given, { name })).failures).toHaveLength(2);

      const { inputs } = await ofStack.checkConfig({ ...stack, apiToken: "other" }, { name });
      expect(inputs).toMatchObject({ apiToken: secret("other") });
    },
  );
});

test("The handshake is not implemented, because the engine takes it for a yes to creates in previews", async () => {
  await expect(plugin.handshake()).rejects.toMatchObject({ code: 12 });
});
