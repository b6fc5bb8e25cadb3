/**
 * Whole programs with the bundled plugin on the real engine. They do not need a generated SDK. The
 * life of a create-only channel is in `languages.test.ts`.
 */
import * as pulumi from "@pulumi/pulumi";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { settingsFor } from "../support/account";
import { useEmulator, useRequests } from "../support/emulator";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { PLUGIN_DIRECTORY as plugin } from "./support/plugin-process";

const OTHER_TOKEN = "other-token-secret-0123456789";
const HIDDEN = "Hidden label";
const ROTATED = "https://hooks.slack.com/services/rotated-slack-secret";
const TYPE = "domain-monitoring:index:NotificationChannel";

/** Like a generated SDK's class, but without its marks for secrets. */
class Channel extends pulumi.CustomResource {
  declare readonly label: pulumi.Output<string>;
  declare readonly dnsNotificationsEnabled: pulumi.Output<boolean>;
  constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
    super(TYPE, name, { dnsNotificationsEnabled: undefined, ...args }, opts);
  }
}

class PluginProvider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.ResourceOptions) {
    super("domain-monitoring", name, args, opts);
  }
}

/** An operation that succeeds and says nothing. */
const quiet = { failed: false, diagnostics: [] };
const ops = { domainId: DOMAIN, label: "Ops on-call", type: "slack" as const, value: SLACK_URL };

describeOnRealEngine("a program with the plugin", (create) => {
  const service = useEmulator({ token: TOKEN, lifecycle: "managed" });

  function start(program: () => unknown, lifecycle = "managed", env = {}) {
    const { config, secrets } = settingsFor(service);
    return create({
      plugin,
      config: { ...config, "domain-monitoring:lifecycle": lifecycle },
      secrets,
      env,
      keepsSecret: [SLACK_URL, ROTATED, EMAIL, OTHER_TOKEN, HIDDEN],
      program,
    });
  }

  // The account's list is left out, because a process reads it at most once.
  const takeRequests = useRequests(service, ({ operation, method }) =>
    operation === "listDomains" ? [] : method,
  );

  test("keeps what is secret so, and leaves the record of create-only channels as it is in a refresh", async () => {
    const none = { whoisNotificationsEnabled: null, secondaryValue: null };
    const stack = await start(() => {
      const { label, dnsNotificationsEnabled: flag } = new Channel("ops", {
        ...ops,
        ...none,
        label: pulumi.secret(HIDDEN),
        dnsNotificationsEnabled: pulumi.secret(false),
      });

      const declared = { ...ops, type: "pushover", value: null, dnsNotificationsEnabled: true };
      new Channel("none", { ...declared, sslNotificationsEnabled: false });

      const args = { id: pulumi.secret(DOMAIN) };
      const domain = pulumi.runtime.invokeOutput("domain-monitoring:index:getDomain", args);

      return { label, flag, domain };
    }, "create-only");

    expect((await stack.up()).outputs).toMatchObject({
      label: { secret: true },
      flag: { value: false, secret: true },
      domain: { secret: true },
    });

    const recorded = await stack.state();
    expect(await stack.refresh()).toMatchObject({ changes: { same: 2 }, diagnostics: [] });
    expect(await stack.state()).toEqual(recorded);
    expect(await stack.up()).toMatchObject({ changes: { same: 2 }, diagnostics: [] });
  });

  test("carries managed channels from their create to their delete", async () => {
    const stack = await start(() => new Channel("ops", ops));
    expect(await stack.up()).toMatchObject({ ...quiet, changes: { create: 1 } });
    expect(takeRequests()).toEqual(["GET", "POST"]);

    const [{ id = "" } = {}] = service.channels();

    stack.change(() => new Channel("ops", { ...ops, label: "Ops by day", value: ROTATED }));

    const preview = await stack.preview();
    expect(preview).toMatchObject({ changes: { update: 1 } });
    expect(messagesOf(preview)).toEqual([expect.stringContaining("(value)")]);
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
    expect(await stack.refresh()).toMatchObject({ ...quiet, changes: { delete: 1 } });
    expect(await stack.up()).toMatchObject({ changes: { create: 1 }, diagnostics: [] });
    expect(service.channels()).toHaveLength(1);

    stack.change(() => new Channel("ops", { ...ops, type: "email", value: EMAIL }));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toMatchObject([{ type: "email" }]);
    expect(await stack.destroy()).toMatchObject({ ...quiet, changes: { delete: 1 } });
    expect(service.channels()).toEqual([]);
  });

  test("imports managed channels by option, and sets only their destination", async () => {
    const id = service.addChannel(DOMAIN, { label: "Ops on-call", type: "slack", value: ROTATED });
    const importing = () => new Channel("ops", ops, { import: `${DOMAIN}/${id}` });
    const stack = await start(importing);
    for (const imported of [await stack.preview(), await stack.up()]) {
      expect(imported).toMatchObject({ failed: false, changes: { import: 1 } });
      expect(messagesOf(imported)).toEqual(
        expect.arrayContaining([
          expect.stringContaining("is imported without its destination"),
          expect.stringContaining("The next update sets value as declared"),
        ]),
      );
    }

    expect(takeRequests()).toEqual(["GET", "GET"]);
    expect(await stack.up()).toMatchObject({ changes: { update: 1 } });
    expect(service.channels()).toMatchObject([{ id, label: "Ops on-call", value: SLACK_URL }]);

    stack.change(() => new Channel("ops", ops));
    expect(await stack.up()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    expect(takeRequests()).toEqual(["PATCH"]);

    // The engine no longer knows that id when the channel is declared again: it imports the
    // channel, and asks to delete the old record.
    stack.change(importing);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(takeRequests()).toEqual(["GET"]);
    expect(service.channels()).toMatchObject([{ id }]);
  });

  test("gives an explicit provider its account by envVarMappings, even one with the name of the engine's own", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN, lifecycle: "managed" });
    const envVarMappings = {
      EU_URL: "DOMAIN_MONITORING_BASE_URL",
      EU_TOKEN: "DOMAIN_MONITORING_API_TOKEN",
    };

    const program = () => {
      const provider = new PluginProvider("default", {}, { envVarMappings });
      new Channel("ops", ops, { provider });
    };

    const env = { EU_URL: other.url, EU_TOKEN: OTHER_TOKEN };
    const stack = await start(program, "managed", env);

    // The engine leaves out its own provider, and with it every provider of that name.
    expect(await stack.up()).toMatchObject({ ...quiet, changes: { create: 1 } });

    // It still uses the lifecycle of stack config, so it first lists the channels.
    expect(other.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
    expect(service.requests).toEqual([]);
  });

  test("moves channels to another account with their provider, and keeps them if anything else of it changes", async () => {
    await using other = await startEmulator({ token: OTHER_TOKEN, lifecycle: "managed" });
    let account: object = { baseUrl: service.url, apiToken: TOKEN };
    const stack = await start(() => {
      const provider = new PluginProvider("account", account);
      new Channel("ops", ops, { provider });
      new Channel("kept", { ...ops, label: "Kept", lifecycle: "create-only" }, { provider });
    });

    await stack.up();
    account = { baseUrl: `${service.url}/`, apiToken: TOKEN, maxRetries: "1" };

    takeRequests();
    expect(await stack.up()).toMatchObject({ changes: { update: 1, same: 2 }, diagnostics: [] });
    expect(takeRequests()).toEqual([]);

    account = { baseUrl: other.url, apiToken: OTHER_TOKEN };
    const preview = await stack.preview();
    expect(preview).toMatchObject({ failed: false, changes: { replace: 3 } });
    expect(messagesOf(preview)).toEqual([
      expect.stringContaining("Another base address is another account"),
    ]);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 3 } });
    expect(service.channels()).toMatchObject([{ label: "Kept" }]);

    const labels = other.channels().map(({ label }) => label);
    expect(labels.sort()).toEqual(["Kept", "Ops on-call"]);
    expect(await stack.up()).toMatchObject({ changes: { same: 3 }, diagnostics: [] });

    // This one goes to the stack's account.
    stack.change(() => new Channel("ops", ops));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toHaveLength(2);
    expect(other.channels()).toMatchObject([{ label: "Kept" }]);
  });
});
