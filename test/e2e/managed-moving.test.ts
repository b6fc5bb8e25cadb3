/** What only an engine shows of managed channels: moving over and back, and what it records of a failed step. */
import type * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, type NotificationChannelArgs, Provider } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines, messagesOf, type Outcome } from "../support/engines";

const domainId = "11111111-1111-4111-8111-111111111111";
const token = "token-to-keep-secret";
const address = "destination-to-keep-secret@example.com";
const rotated = "rotated-to-keep-secret@example.com";
const webhook = "https://hooks.example/destination-to-keep-secret";

describeOnEngines("managed channels on an engine", (create, engine) => {
  let service: Emulator;
  let program: () => unknown;

  beforeEach(async () => {
    service = await startEmulator({ token, lifecycle: "managed" });
  });
  afterEach(() => service.close());

  async function stackOf(lifecycle: Record<string, string>) {
    return create({
      program: () => program(),
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0", ...lifecycle },
      secrets: { "domain-monitoring:apiToken": token },
      keepsSecret: [address, rotated, webhook],
    });
  }

  function mail(
    name: string,
    args: Partial<NotificationChannelArgs> = {},
    opts?: pulumi.CustomResourceOptions,
  ) {
    const common = { domainId, label: `Channel ${name}`, type: "email", value: address } as const;
    return new NotificationChannel(name, { ...common, ...args } as NotificationChannelArgs, opts);
  }

  /** Methods of the requests of an operation, sorted. */
  async function requestsOf(
    operation: () => Promise<Outcome>,
  ): Promise<{ outcome: Outcome; methods: string }> {
    const first = service.requests.length;
    const outcome = await operation();
    const methods = service.requests.slice(first).map(({ method }) => method);
    return { outcome, methods: methods.sort().join(" ") };
  }

  // On the offline engine: the channel "moved" of test/testing/parity, and test/provider/managed.test.ts.
  if (engine === "real")
    it("move over and back by updates, and what leaves meanwhile is told before and stays", async () => {
      const stack = await stackOf({});
      program = () => {
        for (const name of ["stays", "renamed", "replaced", "leaves"]) mail(name);
      };
      expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 4 } });
      const before = await stack.state();
      expect(JSON.stringify(before)).not.toMatch(/lifecycle|unconfirmed|adopt/);

      const lifecycle = "managed" as const;
      program = () => {
        mail("stays", { lifecycle });
        mail("renamed", { lifecycle, label: "Renamed" });
        mail("replaced", { lifecycle, type: "webhook", value: webhook });
      };
      const preview = await requestsOf(() => stack.preview());
      expect(preview).toMatchObject({
        outcome: { changes: { update: 2, replace: 1, delete: 1 } },
        methods: "",
      });
      expect(
        messagesOf(preview.outcome)
          .join("\n")
          .match(/channels are to be recorded with lifecycle "managed"/g),
      ).toHaveLength(1);
      expect(messagesOf(preview.outcome).join("\n")).toMatch(
        /"Channel replaced" .* is to be replaced \(changed: type\)/,
      );
      const moved = await requestsOf(() => stack.up());
      expect(moved.outcome).toMatchObject({ failed: false, changes: { update: 2, replace: 1, delete: 1 } });
      // The list once before the create; a read for each of the others; a change for one.
      expect(moved.methods).toBe("GET GET GET PATCH POST");
      expect(leaving(moved.outcome)).toEqual(["Channel leaves", "Channel replaced"]);
      expect(service.channels()).toHaveLength(5);

      const refreshed = await requestsOf(() => stack.refresh());
      expect(refreshed).toMatchObject({
        outcome: { failed: false, changes: { same: 3 } },
        methods: "GET GET GET",
      });
      program = () => {
        mail("stays");
        mail("renamed", { label: "Renamed" });
        mail("replaced", { type: "webhook", value: webhook, lifecycle });
      };
      const back = await requestsOf(() => stack.up());
      expect(back).toMatchObject({
        outcome: { failed: false, changes: { update: 2, same: 1 } },
        methods: "",
      });
      const after = await stack.state();
      const named = (name: string, state: typeof before) =>
        state.find(({ urn }) => urn.endsWith(`::${name}`));
      expect(named("stays", after)).toEqual(named("stays", before));
      const destroyed = await requestsOf(() => stack.destroy());
      expect(destroyed).toMatchObject({
        outcome: { failed: false, changes: { delete: 3 } },
        methods: "DELETE",
      });
      expect(leaving(destroyed.outcome)).toEqual(["Channel stays", "Renamed"]);
      expect(service.channels()).toHaveLength(4);
    });

  it("survive a lost answer, a revert and a new name, and keep an ignored label", async () => {
    const adopted = service.addChannel(domainId, { label: "By hand", value: "hand@example.com" });
    const referred = service.addChannel(domainId, { label: "Another team's" });
    const declare = ({ value = address, name = "adopted", handedOver = false } = {}) => {
      const taken = mail(name, handedOver ? {} : { adopt: adopted }, { aliases: [{ name: "adopted" }] });
      // After it, so that the channel has its new name before the update fails.
      const rotating = mail("rotating", { value }, { dependsOn: taken });
      mail("ignoring", {}, { ignoreChanges: ["label"] });
      mail("retyped", { onOrphan: "error" });
      const known = rotating.channelId.apply(() => domainId);
      return { label: refer(referred, known) };
    };
    program = () => declare();
    const stack = await stackOf({ "domain-monitoring:lifecycle": "managed" });
    // Neither the id nor the domain of what is referred to have to be known.
    const preview = await stack.preview();
    expect(preview).toMatchObject({ failed: false });
    expect(messagesOf(preview).join("\n")).toContain('"Channel adopted" (email');
    const up = await stack.up();
    expect(up).toMatchObject({ failed: false, outputs: { label: { value: "Another team's" } } });
    expect(service.channels()).toHaveLength(5);
    expect(service.channels().find(({ id }) => id === adopted)).toMatchObject({ value: address });

    // What is adopted keeps its channel under another name, by its alias.
    program = () => declare({ value: rotated, name: "adopted-by-another-name" });
    service.fault({ operation: "updateNotificationChannel", reset: "after", after: 1 });
    const lost = await stack.up();
    expect(lost.failed).toBe(true);
    expect(messagesOf(lost).join("\n")).toMatch(
      /"Channel rotating" .* may or may not be updated.*sends value again/s,
    );
    expect(channel("rotating")).toMatchObject({ value: rotated });

    service.updateChannel(channel("ignoring").id, { label: "Channel by hand" });
    const disabledReason = `${address} bounced`;
    service.updateChannel(channel("retyped").id, { type: "slack", isDisabled: true, disabledReason });
    const refreshed = await stack.refresh();
    expect(refreshed.failed).toBe(false);
    expect(messagesOf(refreshed).join("\n")).toContain(
      "has been disabled by the service: [redacted] bounced",
    );
    expect(messagesOf(refreshed).join("\n")).not.toContain("is to be replaced");

    // What was lost is repeated although there is no difference.
    program = () => declare({ name: "adopted-by-another-name" });
    const mended = await requestsOf(() => stack.up());
    expect(mended.outcome).toMatchObject({ failed: false, changes: { update: 1, replace: 1 } });
    // The list, and what is only referred to; what was rotated; what was replaced.
    expect(mended.methods).toBe("DELETE GET GET PATCH POST");
    expect(channel("rotating")).toMatchObject({ value: address });
    expect(channel("by hand")).toMatchObject({ value: address });
    expect(channel("retyped")).toMatchObject({ type: "email" });
    expect(channel("adopted-by-another-name")).toMatchObject({ id: adopted });

    // On the offline engine: examples/managed-channels, and what is only read in test/testing/parity.
    if (engine === "offline") return;
    // The engine protects what is adopted until it is handed over.
    program = () => declare({ name: "adopted-by-another-name", handedOver: true });
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(await stack.destroy()).toMatchObject({ failed: false });
    expect(service.channels().map(({ label }) => label)).toEqual(["Another team's"]);
    program = () => ({ label: refer("99999999-9999-4999-8999-999999999999", domainId) });
    const missing = await stack.preview();
    expect(missing.failed).toBe(true);
    expect(messagesOf(missing).join("\n")).toMatch(
      /id 99999999-9999-4999-8999-999999999999\) is not read: the service has no such channel/,
    );
  });

  it("follow the nearest setting", async () => {
    const account = { baseUrl: service.url, apiToken: token, maxRetries: 0 };
    program = () => {
      const createOnly = new Provider("create-only", { ...account, lifecycle: "create-only" });
      const undecided = new Provider("undecided", account);
      const channels = [
        mail("from-provider", {}, { provider: createOnly }),
        mail("from-stack", {}, { provider: undecided }),
        mail("own", { lifecycle: "managed" }, { provider: createOnly }),
      ];
      return { lifecycles: channels.map(({ lifecycle }) => lifecycle) };
    };
    const stack = await stackOf({ "domain-monitoring:lifecycle": "managed" });
    const up = await stack.up();
    expect(up.outputs.lifecycles?.value).toEqual(["create-only", "managed", "managed"]);
    // By what is recorded: test/provider/managed.test.ts.
    if (engine === "offline") return;
    expect(await stack.destroy()).toMatchObject({ failed: false });
    expect(service.channels()).toMatchObject([{ label: "Channel from-provider" }]);
  });

  function refer(id: string, known: pulumi.Input<string>) {
    return NotificationChannel.get("referred", id, { domainId: known, lifecycle: "managed" }).label;
  }

  function channel(name: string) {
    const found = service.channels().find(({ label }) => label === `Channel ${name}`);
    if (found === undefined) throw new Error(`expected a channel ${name}`);
    return found;
  }
});

/** Labels of the channels of which a delete said that they stay behind, sorted. */
function leaving(outcome: Outcome): string[] {
  const told = [
    ...messagesOf(outcome)
      .join("\n")
      .matchAll(/"([^"]+)" \([^)]*\) leaves this stack/g),
  ];
  return told.map((match) => match[1] ?? "").sort();
}
