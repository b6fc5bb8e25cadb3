/**
 * The functions as the engine invokes them, against the bundle. Their behaviour is tested in
 * test/program.
 */
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN } from "../provider/support/channels";
import { type PluginProcess, refusalOf, usePlugin } from "./support/plugin-process";

const { ERROR, WARNING } = LogSeverity;
let emulator: Emulator;
let plugin: PluginProcess;

usePlugin({ now: "2026-01-31T00:00:00Z", lifecycle: "managed" }, (started) => {
  ({ emulator, plugin } = started);
});

async function messageOf(call: Promise<unknown>): Promise<string> {
  return (await refusalOf(call)).message;
}

test("A domain is returned as it is served, and no resource is needed for it", async () => {
  expect(await plugin.invoke("getDomain", { id: DOMAIN })).toMatchObject({
    id: DOMAIN,
    domain: "example.com",
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    components: { dns: { enabledRecords: expect.any(Array) } },
  });
});

test("An argument that is null counts as left out", async () => {
  expect(await plugin.invoke("getDomain", { id: null, domain: "Example.COM." })).toMatchObject({
    domain: "example.com",
  });
});

test("Changes have one type for each property, whatever the service serves", async () => {
  const names = ["a.example.com", "b.example.com"];
  for (const [fieldChanged, oldValue, newValue] of [
    ["registrar", null, "Other Inc."],
    ["nameservers", "odd", names],
  ] as const)
    emulator.addChange(DOMAIN, "whois", { fieldChanged, oldValue, newValue });

  const asked = { domainId: DOMAIN, limit: 2 };
  const { total, truncated, changes } = await plugin.invoke("getWhoisChanges", asked);
  expect({ total, truncated }).toEqual({ total: expect.any(Number), truncated: true });

  const all = [...(changes as { before: unknown; after: unknown; domainId: unknown }[])];
  expect(all.map(({ before, after }) => ({ before, after }))).toEqual(
    expect.arrayContaining([
      { before: null, after: ["Other Inc."] },
      { before: ["odd"], after: names },
    ]),
  );

  for (const { domainId } of all) expect(typeof domainId).toBe("string");
  const page = { domainId: DOMAIN, page: 1, perPage: 1, since: null };
  const dns = await plugin.invoke("getDnsChanges", page);

  expect(dns.changes).toMatchObject([{ domainId: expect.any(String), before: expect.anything() }]);
});

test("an expiry rule that is violated fails with one line, or warns where the rule says so", async () => {
  const rule = { id: DOMAIN, minimumDays: 36_500 };
  const line = await messageOf(plugin.invoke("requireDomainExpiry", rule));

  expect(line).toMatch(/^example\.com expires on .* 36500 required/);
  expect(plugin.logged).toEqual([{ urn: "", severity: ERROR, message: line }]);

  plugin.logged.length = 0;
  const lenient = { ...rule, mode: "warn", override: null };
  const warned = await plugin.invoke("requireDomainExpiry", lenient);

  expect(warned).toMatchObject({ status: "expiring", message: line });
  expect(plugin.logged).toEqual([{ urn: "", severity: WARNING, message: line }]);
});

// Most languages show the error of a call below a stack trace, so its line is logged as well.
describe("a call that fails", () => {
  test.each([
    ["getWhoisChanges", { domainId: "example.com" }, "doctor --domain example.com"],
    ["getRegistrar", {}, "domain-monitoring:index:getRegistrar is not a function of this plugin"],
  ])("names what is wrong with the arguments: %s %j", async (name, args, expected) => {
    const message = await messageOf(plugin.invoke(name, args));
    expect(message).toContain(expected);
    expect(plugin.logged).toEqual([{ urn: "", severity: ERROR, message }]);
    expect(emulator.requests).toEqual([]);
  });

  test("says what the service said", async () => {
    const message = await messageOf(plugin.invoke("getDomain", { id: "missing" }));
    expect(message).toContain("404");
    expect(plugin.logged).toEqual([{ urn: "", severity: ERROR, message }]);

    emulator.fault({ body: "\u0000\n".repeat(5_000), status: 500 });
    expect((await messageOf(plugin.invoke("getDomain", { id: DOMAIN }))).length).toBeLessThan(
      2_100,
    );
  });
});
