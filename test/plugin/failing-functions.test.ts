/**
 * Functions of the plugin that fail in an inline program (Automation API), on a new stack and on one
 * that exists. Nothing waits for their results, so the SDK ends the program as if all of it had been
 * declared, and the engine goes on to delete what was not. The npm package: test/e2e/gated.test.ts
 * and test/program/component-life.test.ts.
 */
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { Projects } from "../support/project";
import { PLUGIN_DIRECTORY, refusalOf, secret, usePlugin } from "./support/plugin-process";

const REFUSED = "nothing is deleted in a run in which a function failed";

/** A managed channel and a create-only one. */
const CHANNELS = {
  ops: { label: "Ops on-call", type: "slack", value: SLACK_URL, lifecycle: "managed" },
  desk: { label: "Registrar desk", type: "email", value: EMAIL },
};

/** A program that reads the domain, and has a rule for its expiry. */
const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const token = (name) => "domain-monitoring:index:" + name;
  const invoke = (name, args) => pulumi.runtime.invokeOutput(token(name), args);
  const channel = (name, args) => new pulumi.CustomResource(token("NotificationChannel"), name, args);
  const { domainId } = invoke("requireDomainExpiry", { id: "${DOMAIN}", minimumDays: 30 });
  const { id } = invoke("getDomain", { id: "${DOMAIN}" });
  channel("ops", { ...${JSON.stringify(CHANNELS.ops)}, domainId });
  channel("desk", { ...${JSON.stringify(CHANNELS.desk)}, domainId: id });`;

const domain = { id: DOMAIN, domain: "shop.example", expiresAt: "2999-12-31" };

describeOnRealEngine("an inline program", (create) => {
  const projects = new Projects();
  const service = useEmulator({ token: TOKEN, lifecycle: "managed", domains: [domain] });

  it("creates no channel and loses none while a rule or a lookup fails", async () => {
    const stack = await create({
      workDir: projects.add("index.js", { "index.js": PROGRAM }),
      inline: true,
      plugin: PLUGIN_DIRECTORY,
      ...settingsFor(service),
      keepsSecret: [SLACK_URL, EMAIL],
    });

    service.updateDomain(DOMAIN, { expiresAt: "2001-02-03" });
    expect((await stack.up()).failed).toBe(true);
    expect(service.channels().map(({ label }) => label)).not.toContain(CHANNELS.ops.label);

    service.updateDomain(DOMAIN, { expiresAt: "2999-12-31" });
    expect(await stack.up()).toMatchObject({ failed: false });

    const before = [await stack.state(), service.channels()];

    /** Expects an update to fail with this line, and to change nothing. */
    async function expectFailure(line: string): Promise<void> {
      const failed = await stack.up();
      const errors = messagesOf(failed, "error");

      expect(failed.failed).toBe(true);
      for (const text of [line, REFUSED])
        expect(errors).toContainEqual(expect.stringContaining(text));

      expect([await stack.state(), service.channels()]).toEqual(before);
    }

    service.updateDomain(DOMAIN, { expiresAt: "2001-02-03" });
    await expectFailure("shop.example expired on 2001-02-03");

    service.updateDomain(DOMAIN, { expiresAt: "2999-12-31" });
    service.fault({ operation: "getDomain", status: 404 });
    await expectFailure("got 404");
    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 2 } });
    expect(await stack.destroy()).toMatchObject({ failed: false });
    expect(service.channels()).toMatchObject([{ label: "Registrar desk" }]);
  });
});

describe("the plugin's process", () => {
  const env = { PULUMI_AUTOMATION_API: "true" };
  const { emulator, plugin } = usePlugin({ lifecycle: "managed", env });

  it("refuses to delete after a failed function, and does in a later run, such as a destroy", async () => {
    const { id, properties } = await plugin.create({ ...CHANNELS.ops, domainId: DOMAIN });
    await refusalOf(plugin.invoke("getDomain", { id: "missing" }));
    const { message } = await refusalOf(plugin.delete(id, properties));

    expect(message).toContain(`${REFUSED}, even if the program catches the error`);
    expect(emulator.channels()).toHaveLength(1);

    await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN) });
    await plugin.delete(id, properties);
    expect(emulator.channels()).toEqual([]);
  });
});
