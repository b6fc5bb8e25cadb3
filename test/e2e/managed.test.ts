/**
 * The life of a managed channel, with the requests that each operation costs counted at the service. The offline engine does the
 * same in test/testing/parity, and what a failed update leaves to the next one in managed-moving.test.ts.
 */
import { NotificationChannel, type NotificationChannelArgs } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnRealEngine, type Outcome } from "../support/engines";

const domainId = "11111111-1111-4111-8111-111111111111";
const token = "token-to-keep-secret";
const address = "destination-to-keep-secret@example.com";
const rotated = "rotated-to-keep-secret@example.com";

describeOnRealEngine("the life of a managed channel", (create) => {
  let service: Emulator;
  let declared: () => unknown;
  let counted: number;

  beforeEach(async () => {
    service = await startEmulator({ token, lifecycle: "managed" });
    counted = 0;
  });
  afterEach(async () => {
    await service.close();
  });

  async function managedStack() {
    return create({
      program: () => declared(),
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:lifecycle": "managed" },
      secrets: { "domain-monitoring:apiToken": token },
      keepsSecret: [address, rotated],
    });
  }

  function ops(args: Partial<NotificationChannelArgs> = {}, name = "ops") {
    const common = { domainId, label: "Ops on-call", type: "email", value: address } as const;
    return new NotificationChannel(name, { ...common, ...args } as NotificationChannelArgs);
  }

  /** Methods of the requests since the last call. */
  function asked(): string[] {
    const all = service.requests.map(({ method }) => method);
    const since = all.slice(counted);
    counted = all.length;
    return since;
  }

  it("is created, changed in place, mended, replaced and deleted", async () => {
    declared = () => {
      const { id, lifecycle } = ops();
      return { id, lifecycle };
    };
    const stack = await managedStack();
    const created = await stack.up();
    expect(created).toMatchObject({ failed: false, changes: { create: 1 }, diagnostics: [] });
    expect(created.outputs.lifecycle?.value).toBe("managed");
    const id = String(created.outputs.id?.value);
    // The list is read once, to be sure that the service can do more than create.
    expect(asked()).toEqual(["GET", "POST"]);

    // What is not declared otherwise is not sent: a change by hand stays.
    service.updateChannel(id, { dnsNotificationsEnabled: false });
    declared = () => ({ id: ops({ label: "Ops by day" }).id });
    expect(await stack.preview()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(asked()).toEqual([]);
    const relabelled = await stack.up();
    expect(relabelled.changes).toEqual({ update: 1 });
    expect(relabelled.outputs.id?.value).toBe(id);
    expect(text(relabelled)).toContain("answered with another dnsNotificationsEnabled");
    declared = () => ({ id: ops({ label: "Ops by day", value: rotated }).id });
    expect(await stack.up()).toMatchObject({ changes: { update: 1 } });
    expect(asked()).toEqual(["PATCH", "PATCH"]);
    expect(service.channels()).toMatchObject([
      { id, label: "Ops by day", value: rotated, dnsNotificationsEnabled: false },
    ]);

    // By hand: a refresh finds it, an update mends it.
    expect(await stack.refresh()).toMatchObject({ changes: { update: 1 } });
    expect(await stack.up()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(await stack.refresh()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });
    expect(asked()).toEqual(["GET", "PATCH", "GET"]);
    expect(service.channels()).toMatchObject([{ id, value: rotated, dnsNotificationsEnabled: true }]);

    service.removeChannel(id);
    expect(await stack.refresh()).toMatchObject({ failed: false, changes: { delete: 1 } });
    expect(asked()).toEqual(["GET", "GET"]);
    const recreated = await stack.up();
    expect(recreated).toMatchObject({ changes: { create: 1 } });
    expect(recreated.outputs.id?.value).not.toBe(id);

    declared = () => ({ id: ops({ type: "webhook", value: "https://hooks.example/ops" }).id });
    const replaced = await stack.up();
    expect(replaced).toMatchObject({ failed: false, changes: { replace: 1 }, diagnostics: [] });
    expect(service.channels()).toMatchObject([{ id: replaced.outputs.id?.value, type: "webhook" }]);

    declared = () => undefined;
    expect(await stack.up()).toMatchObject({ changes: { delete: 1 }, diagnostics: [] });
    expect(service.channels()).toEqual([]);
    declared = () => void ops();
    await stack.up();
    expect(await stack.destroy()).toMatchObject({ failed: false, changes: { delete: 1 }, diagnostics: [] });
    expect(service.channels()).toEqual([]);
  });
});

function text({ diagnostics }: Outcome): string {
  return diagnostics.map(({ message }) => message).join("\n");
}
