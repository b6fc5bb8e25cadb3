/** A channel from its create to its removal, on both engines. */
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { NotificationChannel, type NotificationChannelArgs, Provider } from "../../src";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines, describeOnRealEngine, FORMS, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

const domainId = "11111111-1111-4111-8111-111111111111";
const token = "token-to-keep-secret";
const address = "destination-to-keep-secret@example.com";

describeOnEngines("the life of a channel", (create, engine) => {
  const service = useEmulator({ token });

  function stackOf(program: () => unknown) {
    return create({ program, ...settingsFor(service), keepsSecret: [address] });
  }

  function mail(
    name: string,
    args: Partial<NotificationChannelArgs> = {},
    opts?: pulumi.CustomResourceOptions,
  ) {
    const common = { domainId, label: `Channel ${name}`, type: "email", value: address } as const;
    return new NotificationChannel(name, { ...common, ...args } as NotificationChannelArgs, opts);
  }

  it("takes the options that every resource takes", async () => {
    const stack = await stackOf(() => {
      const kept = mail("kept", {}, { retainOnDelete: true });
      mail("ignoring", {}, { ignoreChanges: ["label"], dependsOn: kept });
      mail("replaced-first", {}, { deleteBeforeReplace: true });
      mail("before");
    });

    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 4 } });

    stack.change(() => {
      mail("ignoring", { label: "Another label" }, { ignoreChanges: ["label"] });
      mail("replaced-first", { label: "Another label" }, { deleteBeforeReplace: true });
      mail("after", { label: "Channel before" }, { aliases: [{ name: "before" }] });
    });

    const changed = await stack.up();
    expect(changed).toMatchObject({ failed: false, changes: { same: 2, replace: 1, delete: 1 } });
    expect(service.channels()).toHaveLength(5);
    // The retained channel is not deleted, so no message names it.
    expect(messagesOf(changed).join("\n")).toContain('"Channel replaced-first"');
    expect(messagesOf(changed).join("\n")).not.toContain("Channel kept");
  });

  it("lives from its create to its removal, and keeps its secrets", async () => {
    const outputs = (args: Partial<NotificationChannelArgs> = {}) => {
      const { channelId, value, label } = mail("ops", args, { additionalSecretOutputs: ["label"] });
      return { id: channelId, value, label };
    };
    const stack = await stackOf(() => outputs({ whoisNotificationsEnabled: true }));
    expect(await stack.preview()).toMatchObject({ failed: false, changes: { create: 1 } });
    expect(service.channels()).toHaveLength(0);

    const up = await stack.up();
    const [first] = service.channels();
    expect(up).toMatchObject({ failed: false, changes: { create: 1 } });
    expect(up.outputs).toMatchObject({
      id: { value: first?.id, secret: false },
      value: { secret: true },
      label: { value: "Channel ops", secret: true },
    });

    const recorded = await stack.state();
    expect(await stack.refresh()).toMatchObject({ failed: false, changes: { same: 1 } });
    expect(await stack.state()).toEqual(recorded);

    const same = {
      dnsNotificationsEnabled: null,
      sslNotificationsEnabled: true,
      secondaryValue: null,
    };
    stack.change(() => outputs(same));

    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 1 } });
    expect(service.channels()).toHaveLength(1);

    stack.change(() => outputs({ dnsNotificationsEnabled: false }));
    const replacing = await stack.preview();
    expect(replacing.changes).toEqual({ replace: 1 });

    const named = (id?: string) => `"Channel ops" (id ${id}, domain ${domainId}) stays`;
    expect(messagesOf(replacing).join("\n")).toContain(named(first?.id));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });

    const [, second] = service.channels();
    const destroyed = await stack.destroy();
    expect(destroyed).toMatchObject({ failed: false, changes: { delete: 1 } });
    expect(messagesOf(destroyed).join("\n")).toContain(named(second?.id));
    expect(service.channels()).toHaveLength(2);
  });

  it("can be referred to by id without asking the service", async () => {
    const stack = await stackOf(() => {
      const known = NotificationChannel.get("known", "channel-1", {
        label: "Made by hand",
        value: address,
      });

      return { id: known.channelId, label: known.label, value: known.value, type: known.type };
    });
    const { outputs, failed, changes } = await stack.up();
    expect({ failed, changes }).toEqual({ failed: false, changes: {} });
    expect(outputs).toMatchObject({
      id: { value: "channel-1" },
      label: { value: "Made by hand" },
      value: { secret: true },
    });
    expect(outputs.type?.value).toBeUndefined();
    expect(service.requests).toEqual([]);
  });

  it("lives in the account of an explicit provider, whose settings may change", async () => {
    await using other = await startEmulator({ token: "other-token-to-keep-secret" });
    let maxRetries = 5;
    let given: "first" | "second" = "first";
    const stack = await stackOf(() => {
      // Stands for a resource that makes the account.
      const apiToken = mail("default").channelId.apply(() => other.token);
      const account = { baseUrl: other.url, apiToken };
      const tuning = { timeoutSeconds: 20, maxRetries, concurrency: 2 };
      const first = new Provider("first", { ...account, ...tuning });
      const providers = { first, second: new Provider("second", account) };
      mail("given", {}, { provider: providers[given] });
      const options = { providers: [first] };
      const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, options);
      mail("inherited", {}, { parent });
    });

    expect(await stack.preview()).toMatchObject({ failed: false, changes: { create: 6 } });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 6 } });

    const labels = (some: Emulator) => new Set(some.channels().map(({ label }) => label));
    expect(labels(other)).toEqual(new Set(["Channel given", "Channel inherited"]));
    expect(labels(service)).toEqual(new Set(["Channel default"]));

    maxRetries = 2;
    given = "second";
    expect(await stack.up()).toMatchObject({ failed: false, changes: { update: 1, same: 5 } });
    expect(other.channels()).toHaveLength(2);

    // packages/pulumi-offline/test/parity tests a destroy with the recorded settings.
    if (engine === "real") expect((await stack.destroy()).failed).toBe(false);
    expect(stack.written()).not.toContain(other.token);
  });

  it("follows the nearest setting of its lifecycle, and destroy what is recorded", async () => {
    await using managed = await startEmulator({ token, lifecycle: "managed" });
    const account = { baseUrl: managed.url, apiToken: token };
    const stack = await create({
      program: () => {
        const createOnly = new Provider("create-only", { ...account, lifecycle: "create-only" });
        const undecided = new Provider("undecided", account);
        const channels = [
          mail("from-provider", {}, { provider: createOnly }),
          mail("from-stack", {}, { provider: undecided }),
          mail("own", { lifecycle: "managed" }, { provider: createOnly }),
        ];

        return { lifecycles: channels.map(({ lifecycle }) => lifecycle) };
      },
      config: { "domain-monitoring:lifecycle": "managed" },
      keepsSecret: [token, address],
    });

    const up = await stack.up();
    expect(up.outputs.lifecycles?.value).toEqual(["create-only", "managed", "managed"]);
    expect(await stack.destroy()).toMatchObject({ failed: false });
    expect(managed.channels()).toMatchObject([{ label: "Channel from-provider" }]);
  });

  it("is previewed with inputs that are not known yet, and warned about where it is declared twice", async () => {
    const stack = await stackOf(() => {
      const first = mail("first");
      mail("second", {
        label: pulumi.interpolate`After ${first.channelId}`,
        dnsNotificationsEnabled: first.isProtected,
      });

      mail("twice", { label: "Channel first" });
    });
    const preview = await stack.preview();
    expect(preview).toMatchObject({ failed: false, changes: { create: 3 } });
    expect(messagesOf(preview, "warning")).toEqual([
      expect.stringContaining("declares the same channel as"),
    ]);
    expect((await stack.up()).failed).toBe(false);

    const [after, ...others] = service.channels().sort((a, b) => (a.label < b.label ? -1 : 1));
    expect(others.map(({ label }) => label)).toEqual(["Channel first", "Channel first"]);
    expect(others.map(({ id }) => `After ${id}`)).toContain(after?.label);
  });
});

describeOnEngines("a program with wrong settings", (create) => {
  const args = JSON.stringify({ domainId, label: "Operations", type: "email", value: address });

  const program = `
    const { getDomainOutput, NotificationChannel } = require("pulumi-domain-monitoring");
    const relabel = ({ props, opts }) => ({ props: { ...props, label: "Transformed" }, opts });
    for (const [index, opts] of [{}, {}, { transforms: [relabel] }, { transformations: [relabel] }].entries())
      new NotificationChannel("channel-" + index, ${args}, opts);
    exports.name = getDomainOutput({ id: "${domainId}" }).domain;`;

  // test/config.test.ts tests the other problems with settings, and their messages.
  it.each(FORMS)("fails its preview with one line, %s", async (_, form) => {
    const workDir = new Projects().add("index.js", { "index.js": program });
    const config = {
      "domain-monitoring:baseUrl": "https://example.com",
      "domain-monitoring:apiToken": token,
    };

    const stack = await create({ ...form, workDir, config });
    const preview = await stack.preview();
    const errors = messagesOf(preview, "error").join("\n");

    expect(preview.failed).toBe(true);
    // One line covers all of them, even behind transforms that give no provider.
    const line = "run `pulumi config set --secret domain-monitoring:apiToken`";
    expect(errors.split(line)).toHaveLength(2);
    expect(errors).not.toMatch(/\n\s+at /);
    expect(errors).not.toContain(token);
  });
});

// Offline, the provider is in this process.
describeOnRealEngine("a refusal that no engine message can hold", (create) => {
  const args = { domainId, label: "Operations", type: "email", value: address };
  const program = `new (require("pulumi-domain-monitoring").NotificationChannel)("ops", ${JSON.stringify(args)});`;

  it.each([
    ["is longer than a trailer", "漢字 ".repeat(20_000)],
    ["cannot be encoded", "half of an emoji: \ud83d"],
  ])("reaches the user, and the next update creates the channel: one that %s", async (_, text) => {
    await using service = await startEmulator({ token });
    service.fault({ operation: "createNotificationChannel", status: 422, body: { message: text } });

    const stack = await create({
      workDir: new Projects().add("index.js", { "index.js": program }),
      ...settingsFor(service),
    });

    const refused = await stack.up();
    expect(refused.failed).toBe(true);
    expect(messagesOf(refused, "error").join("\n")).toContain("got 422");
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1 } });
  });
});
