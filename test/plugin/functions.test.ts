/**
 * The functions as the engine invokes them, against the bundle. Their behaviour is tested in
 * test/program, and that their results fit the schema in schema.test.ts.
 */
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { DOMAIN, slackChannel } from "../provider/support/channels";
import { refusalOf, usePlugin } from "./support/plugin-process";

const { ERROR, WARNING } = LogSeverity;

const { emulator, plugin } = usePlugin({ now: "2026-01-31T00:00:00Z", lifecycle: "managed" });

async function messageOf(call: Promise<unknown>): Promise<string> {
  return (await refusalOf(call)).message;
}

test("An argument that is null counts as left out", async () => {
  expect(await plugin.invoke("getDomain", { id: null, domain: "Example.COM." })).toMatchObject({
    id: DOMAIN,
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

  const asked = { domainId: DOMAIN, limit: 2, since: null };
  const { changes, truncated } = await plugin.invoke("getWhoisChanges", asked);
  expect(truncated).toBe(true);
  expect(changes).toHaveLength(2);
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ before: null, after: ["Other Inc."] }),
      expect.objectContaining({ before: ["odd"], after: names }),
    ]),
  );
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
  test("names the functions that there are", async () => {
    const message = await messageOf(plugin.invoke("getRegistrar", {}));
    expect(message).toMatch(
      /^domain-monitoring:index:getRegistrar is not a function of this plugin: use one of .*:getDomain,/,
    );
    expect(emulator.requests).toEqual([]);
  });

  test("says what the service said, in one line of bounded length", async () => {
    emulator.fault({ body: "\u0000\n".repeat(5_000), status: 500 });
    const message = await messageOf(plugin.invoke("getDomain", { id: DOMAIN }));
    expect(message).toContain("500");
    expect(message.length).toBeLessThan(2_100);
    expect(plugin.logged).toEqual([{ urn: "", severity: ERROR, message }]);
  });

  // With the Automation API: failing-functions.test.ts.
  test("is followed by deletes, because a program that the command runs has ended by then", async () => {
    await refusalOf(plugin.invoke("getDomain", { id: "missing" }));
    const deleted = plugin.delete("1", { ...slackChannel, channelId: "1" });
    await expect(deleted).resolves.toBeUndefined();
  });
});
