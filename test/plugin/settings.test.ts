/**
 * Where the plugin's settings come from, and what the engine is told of them: by the settings alone
 * what holds for any of them, and one case by each of the engine's calls. Their order is tested in
 * test/config.test.ts.
 */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { checkSettings, compareAccounts, connect, readSettings } from "../../src/plugin/settings";
import { type Properties, UNKNOWN } from "../../src/provider/boundary";
import { slackChannel, TOKEN } from "../provider/support/channels";
import { environmentFor } from "../support/account";
import {
  DEFAULT_PROVIDER,
  EXPLICIT_PROVIDER,
  PluginProcess,
  refusalOf,
  secret,
  usePlugin,
} from "./support/plugin-process";

const account = { baseUrl: "https://one.example.com", apiToken: TOKEN };
const other = { baseUrl: "https://two.example.com" };

/** The account as the engine's own provider records it. */
const sealed = { ...account, apiToken: { token: secret(TOKEN) }, usesStackConfig: true };

const variables = environmentFor({ url: account.baseUrl, token: TOKEN });

/** Gives this process what the engine starts a plugin with. */
function startWith(stackConfig: object, environment: NodeJS.ProcessEnv = {}): void {
  const PULUMI_CONFIG = JSON.stringify(stackConfig);
  jest.replaceProperty(process, "env", { ...environment, PULUMI_CONFIG });
}

const connectionOf = (args: Properties) => connect(readSettings(args), () => undefined);

beforeEach(() => startWith({}));
afterEach(() => jest.restoreAllMocks());

describe("a provider's name", () => {
  const urnOf = (name: string) => DEFAULT_PROVIDER.replace("default_0_1_0", name);

  beforeEach(() => startWith(account));

  test.each([
    "default",
    "default_0_1_0",
    "default_0_1_0_alpha_1",
    "default_https_//plugins.example.com",
  ])("%s is the engine's own, with the stack's settings and a sealed token", (name) => {
    const version = "0.1.0";
    const checked = checkSettings(urnOf(name), { ...account, version });
    expect(checked).toEqual({ inputs: { ...sealed, version }, problems: [] });
  });

  test.each(["default", "default_eu", "default-eu", "defaults", "my-default_0_1_0"])(
    "%s may be explicit",
    (name) => {
      for (const given of [{}, { baseUrl: "", apiToken: "" }])
        expect(checkSettings(urnOf(name), given).problems).toHaveLength(2);

      const { inputs } = checkSettings(urnOf(name), { ...account, apiToken: "other" });
      expect(inputs).toMatchObject({ apiToken: secret("other") });
    },
  );
});

describe("the settings of the stack", () => {
  test("are recorded as the stack's even if the token comes from the environment", () => {
    const { baseUrl } = account;
    startWith({ baseUrl });
    const checked = checkSettings(DEFAULT_PROVIDER, { baseUrl, version: "0.1.0" });
    expect(checked.inputs).toEqual({ baseUrl, version: "0.1.0", usesStackConfig: true });
  });

  test("are read as this plugin records them, and as an import by command does", () => {
    startWith(account);
    const settings = { isStack: true, settings: account, isSecret: false };
    expect(readSettings(sealed)).toEqual(settings);
    expect(readSettings(account, DEFAULT_PROVIDER)).toEqual(settings);

    // The engine marks the whole value if stack config has it as a secret.
    const marked = { ...sealed, apiToken: secret(sealed.apiToken) };
    expect(readSettings(marked)).toEqual({ ...settings, isSecret: true });
  });
});

describe("an explicit provider", () => {
  // The token of the environment would otherwise go to another account's base address.
  const withoutToken =
    "argument apiToken of a Provider is missing: pass the token of the account at its baseUrl";

  const withoutAddress =
    "argument baseUrl of a Provider is missing: give it, or set the environment variable DOMAIN_MONITORING_BASE_URL";

  const empty = (name: string) => `argument ${name} of a Provider is empty: give the account's own`;
  const lifecycle = "argument lifecycle is not a valid lifecycle: use create-only or managed";

  test.each<[Properties, string[]]>([
    [other, [withoutToken]],
    [{ baseUrl: "", apiToken: "" }, [empty("baseUrl"), empty("apiToken")]],
    [{ apiToken: TOKEN }, [withoutAddress]],
    // The environment has only a token.
    [{}, [withoutAddress]],
    [{ ...account, lifecycle: "automatic" }, [lifecycle]],
  ])("is refused with %j", (args, problems) => {
    startWith({}, { DOMAIN_MONITORING_API_TOKEN: TOKEN });
    expect(checkSettings(EXPLICIT_PROVIDER, args).problems).toEqual(problems);
  });

  test("takes what it leaves out from the environment", () => {
    startWith({}, variables);
    for (const args of [{ apiToken: TOKEN }, { apiToken: UNKNOWN }, {}])
      expect(checkSettings(EXPLICIT_PROVIDER, args).problems).toEqual([]);

    expect(connectionOf({}).problem).toBeUndefined();
  });
});

// Also where nothing has checked the settings: `pulumi do` checks no explicit provider.
test.each<[string, Properties, RegExp]>([
  [
    "the environment's token with another address of stack config",
    { ...other, usesStackConfig: true },
    /DOMAIN_MONITORING_API_TOKEN .* DOMAIN_MONITORING_BASE_URL, .*domain-monitoring:baseUrl /,
  ],
  ["the environment's token with an explicit provider's address", other, /^argument apiToken: /],
  ["an argument that is not valid", { ...account, movedFrom: "none" }, /^argument movedFrom: /],
  [
    "a lifecycle of stack config that is not valid",
    { ...sealed, lifecycle: "automatic" },
    /^stack config domain-monitoring:lifecycle is not a valid lifecycle: use create-only or managed$/,
  ],
])("no call uses %s", (_what, args, problem) => {
  startWith({}, variables);
  expect(connectionOf(args).problem).toMatch(problem);
});

test("channels are abandoned that the stack's settings of now name, else those of the last update, and an explicit provider's own", () => {
  const abandoned = (args: Properties) =>
    ["one", "two"].filter((id) => connectionOf({ ...account, ...args }).isAbandoned(id));

  const recorded = { usesStackConfig: true, abandon: "two" };
  expect(abandoned(recorded)).toEqual(["two"]);
  expect(abandoned({ abandon: '["two"]' })).toEqual(["two"]);

  startWith({ abandon: '["one"]' });
  expect(abandoned(recorded)).toEqual(["one"]);
  expect(abandoned({ abandon: "two" })).toEqual(["one", "two"]);
});

describe("the lifecycle", () => {
  test("is the stack's, never the environment's", () => {
    // On a computer without the variable, a destroy would leave every channel behind.
    startWith({}, { DOMAIN_MONITORING_LIFECYCLE: "managed" });
    expect(connectionOf(sealed).lifecycle).toBe("create-only");
    expect(connectionOf({ ...sealed, lifecycle: "managed" }).lifecycle).toBe("managed");
  });

  test("is an explicit provider's own, or the stack's", () => {
    startWith({ lifecycle: "managed" });
    expect(connectionOf(account).lifecycle).toBe("managed");
    expect(connectionOf({ ...account, lifecycle: "create-only" }).lifecycle).toBe("create-only");
  });
});

describe("a change of settings", () => {
  const otherSealed = { ...sealed, ...other };
  const compared = (before: Properties, after: Properties, ofProvider = false) =>
    compareAccounts(readSettings(before), readSettings(after), { ofProvider });

  test.each<[string, Properties, string[]]>([
    ["another token", { apiToken: "rotated" }, []],
    ["more retries", { maxRetries: "5" }, []],
    ["an address that means the same", { baseUrl: "https://ONE.example.com:443/" }, []],
    ["an address that cannot be used", { baseUrl: "one" }, ["baseUrl"]],
    ["another address", other, ["baseUrl"]],
    ["another address that the service moved to", { ...other, movedFrom: account.baseUrl }, []],
    ["one that is not known yet", { baseUrl: UNKNOWN }, ["baseUrl"]],
  ])(
    "a change of an explicit provider's settings replaces its channels if it is another account: %s",
    (_what, change, replaces) => {
      const diffs = Object.keys(change);
      expect(compared(account, { ...account, ...change })).toEqual({ diffs, replaces });
    },
  );

  const dynamic = {
    "domain-monitoring:argument.baseUrl": account.baseUrl,
    "domain-monitoring:argument.apiToken": TOKEN,
  };

  test.each<[string, Properties, Properties, string[]]>([
    ["not by stack config, which the engine's own provider follows", sealed, otherSealed, []],
    ["not by the update after an import by command", account, sealed, []],
    ["by leaving its explicit provider", account, otherSealed, ["baseUrl"]],
    ["not by leaving the dynamic provider", dynamic, { ...account, ...other }, []],
  ])("a channel changes its account, and is replaced, %s", (_how, before, after, replaces) => {
    expect(compared(before, after).replaces).toEqual(replaces);
  });

  test("a change of stack config does not replace the engine's own provider that an import recorded", () => {
    expect(compared(account, otherSealed, true).replaces).toEqual([]);
  });
});

describe("the engine's calls", () => {
  const { emulator, plugin } = usePlugin({ env: { DOMAIN_MONITORING_API_TOKEN: TOKEN } });

  test("configure the stack's settings with the token as a secret; what is left out comes from the environment", async () => {
    await plugin.configure({ baseUrl: emulator.url });
    expect((await plugin.create(slackChannel)).id).toBe(emulator.channels()[0]?.id);

    await plugin.configure({ baseUrl: emulator.url, apiToken: secret("wrong") });
    await expect(plugin.create(slackChannel)).rejects.toThrow("401");
  });

  test("check an explicit provider, whose token is sealed whatever the program did, and whose numbers come as text", async () => {
    const settings = { baseUrl: emulator.url, apiToken: TOKEN, maxRetries: "1" };
    const { inputs, failures } = await plugin.checkConfig(EXPLICIT_PROVIDER, settings);
    const recorded = { ...settings, apiToken: secret(TOKEN) };
    expect({ inputs, failures }).toEqual({ inputs: recorded, failures: [] });

    await plugin.configureAs(EXPLICIT_PROVIDER, inputs);
    await plugin.create(slackChannel);
    expect(emulator.channels()).toHaveLength(1);

    const refused = await plugin.checkConfig(EXPLICIT_PROVIDER, { apiToken: TOKEN });
    const reason = expect.stringContaining("argument baseUrl ");
    expect(refused.failures).toEqual([{ property: "", reason }]);
  });

  test("leave the comparison of equal settings to the engine", async () => {
    const unknown = { changes: "unknown", diffs: [], replaces: [] };
    expect(await plugin.diffConfig(account, account)).toEqual(unknown);
  });
});

describe("a plugin in its first calls", () => {
  let fresh: PluginProcess;

  beforeEach(async () => {
    // It needs the PATH of this process.
    jest.restoreAllMocks();
    fresh = await PluginProcess.start({ env: { PULUMI_CONFIG: JSON.stringify(account) } });
  });

  afterEach(() => fresh.stop());

  test("reports another account once, and only if its provider is used", async () => {
    const compare = () => fresh.diffConfig(account, { ...account, ...other });
    const another = { changes: "some", diffs: ["baseUrl"], replaces: ["baseUrl"] };
    expect(await compare()).toEqual(another);
    expect(fresh.logged).toEqual([]);

    await fresh.configureAs(EXPLICIT_PROVIDER, { ...other, apiToken: secret(TOKEN) });
    for (const _channel of ["first", "second"]) expect(await compare()).toEqual(another);

    const message = expect.stringContaining("Another base address is another account");
    expect(fresh.logged).toMatchObject([{ message }]);
  });

  test("takes an import's account for the stack's own until it is configured, then for another one's", async () => {
    const compare = () => fresh.diffConfig(account, { ...sealed, ...other });
    expect(await compare()).toMatchObject({ replaces: [] });

    await fresh.configureAs(DEFAULT_PROVIDER, sealed);
    expect(await compare()).toMatchObject({ replaces: ["baseUrl"] });
  });

  test("accepts a recorded token in plain text, so that a destroy works, and refuses a declared one", async () => {
    await using service = await startEmulator({ token: TOKEN });
    const recorded = { ...sealed, baseUrl: service.url };
    await fresh.configureAs(DEFAULT_PROVIDER, recorded);
    await fresh.create(slackChannel);
    expect(service.channels()).toHaveLength(1);

    expect((await fresh.checkConfig(DEFAULT_PROVIDER, account)).inputs).toEqual(sealed);
    // As this plugin seals it, and as an import by command records it.
    for (const settings of [recorded, account])
      expect((await refusalOf(fresh.configureAs(DEFAULT_PROVIDER, settings))).message).toContain(
        "stack config domain-monitoring:apiToken holds the API token in plaintext: run `pulumi config set --secret domain-monitoring:apiToken`",
      );
  });
});
