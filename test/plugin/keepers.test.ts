/**
 * Imports of the plugin: one channel under two names is deleted under neither. The rules that both
 * forms have: test/provider/channel-ownership.test.ts and test/e2e/lives.test.ts.
 */
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import type { Properties } from "../../src/provider/boundary";
import { DOMAIN, emailChannel, TOKEN } from "../provider/support/channels";
import { ProviderClient } from "../support/provider-client";
import { type PluginProcess, refusalOf, secret, usePlugin } from "./support/plugin-process";

const declared: Properties = { ...emailChannel, secondaryValue: null, lifecycle: "managed" };

const importId = (id: string) => `${DOMAIN}/${id}`;

describe("a channel under two names", () => {
  let emulator: Emulator;
  let plugin: PluginProcess;
  let first: ProviderClient;
  let second: ProviderClient;
  let id: string;
  let recorded: Properties;

  usePlugin({ lifecycle: "managed" }, (started) => {
    ({ emulator, plugin } = started);
    const named = (name: string) =>
      new ProviderClient(
        plugin.started,
        `urn:pulumi:test::test::domain-monitoring:index:NotificationChannel::${name}`,
      );

    first = named("ops");
    second = named("mail");
  });

  beforeEach(async () => {
    const created = await first.create(declared);
    id = created.id;
    // The engine sends secrets in clear.
    recorded = { ...created.properties, ...declared };
    // Behaves like the process of another run.
    await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN), maxRetries: "0" });
  });

  const messages = () => plugin.logged.map(({ message }) => message).join("\n");

  /** The program declares a resource that has the object in the state. */
  async function declare(resource: ProviderClient): Promise<void> {
    const { inputs } = await resource.check(declared, declared);
    await resource.diff(id, recorded, { ...inputs, ...declared });
  }

  function expectKept(by: string): void {
    expect(emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect(messages()).toContain(`is not deleted, because resource "${by}" has it`);
  }

  test("stays when the program removes the second name, which an import file has made", async () => {
    await declare(first);
    await second.delete(id, recorded);

    expectKept("ops");
  });

  test("is named to the user while both are declared", async () => {
    await declare(first);
    await declare(second);

    expect(messages()).toContain(
      'resource "ops" also has it, or takes it over: remove one of the two',
    );
  });

  test("stays in an update that imports it under the second name and removes the first", async () => {
    await second.read(importId(id));
    await first.delete(id, recorded);

    expectKept("mail");
  });

  test("stays where that import fails", async () => {
    emulator.fault({ operation: "getNotificationChannel", status: 500 });
    await refusalOf(second.read(importId(id)));
    await first.delete(id, recorded);

    expectKept("mail");
  });

  test("is deleted under the last name", async () => {
    await first.delete(id, recorded);
    expect(emulator.requests.at(-1)?.method).toBe("DELETE");
  });
});
