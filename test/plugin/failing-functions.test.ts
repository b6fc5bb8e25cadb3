/**
 * Functions that fail in an inline program (Automation API), on a stack that exists, in both forms.
 * Nothing waits for their results, so the SDK ends the program as if all of it had been declared,
 * and the engine goes on to delete what was not.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { Projects } from "../support/project";
import { PLUGIN_DIRECTORY, PluginProcess, refusalOf, secret } from "./support/plugin-process";

const REFUSED = "nothing is deleted in a run in which a function failed";

const FORMS = {
  "the plugin": `
    const pulumi = require("@pulumi/pulumi");
    const token = (name) => "domain-monitoring:index:" + name;
    class NotificationChannel extends pulumi.CustomResource {
      constructor(name, args) { super(token("NotificationChannel"), name, args); }
    }
    const requireDomainExpiryOutput = (args) => pulumi.runtime.invokeOutput(token("requireDomainExpiry"), args);
    const getDomainOutput = (args) => pulumi.runtime.invokeOutput(token("getDomain"), args);`,
  "the npm package": `
    const { NotificationChannel, DomainAlerts, requireDomainExpiryOutput, getDomainOutput } = require("pulumi-domain-monitoring");`,
};

/** A managed channel and a create-only one. */
const CHANNELS = {
  ops: { label: "Ops on-call", type: "slack", value: SLACK_URL, lifecycle: "managed" },
  desk: { label: "Registrar desk", type: "email", value: EMAIL },
};

/** Programs that read the domain and have a rule for its expiry. */
const PROGRAMS = {
  functions: `
    const { domainId } = requireDomainExpiryOutput({ id: "${DOMAIN}", minimumDays: 30 });
    const { id } = getDomainOutput({ id: "${DOMAIN}" });
    new NotificationChannel("ops", { ...${JSON.stringify(CHANNELS.ops)}, domainId });
    new NotificationChannel("desk", { ...${JSON.stringify(CHANNELS.desk)}, domainId: id });`,
  DomainAlerts: `
    new DomainAlerts("website", {
      domainId: "${DOMAIN}",
      channels: ${JSON.stringify(CHANNELS)},
      expiry: { minimumDays: 30 },
    });`,
};

const domain = { id: DOMAIN, domain: "shop.example", expiresAt: "2999-12-31" };

describeOnRealEngine("an inline program", (create) => {
  const projects = new Projects();
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({ token: TOKEN, lifecycle: "managed", domains: [domain] });
  });

  afterEach(() => service.close());

  const cases = [
    ["the plugin", "functions"],
    ["the npm package", "functions"],
    ["the npm package", "DomainAlerts"],
  ] as const;

  test.each(cases)(
    "an update with %s and %s loses no channel while a rule or a lookup fails",
    async (form, program) => {
      const code = FORMS[form] + PROGRAMS[program];
      const stack = await create({
        workDir: projects.add("index.js", { "index.js": code }),
        inline: true,
        plugin: PLUGIN_DIRECTORY,
        config: { "domain-monitoring:baseUrl": service.url },
        secrets: { "domain-monitoring:apiToken": TOKEN },
        keepsSecret: [SLACK_URL, EMAIL],
      });

      expect(await stack.up()).toMatchObject({ failed: false });

      const before = [await stack.state(), service.channels()];

      /** Expects an update to fail with this line, and to change nothing. */
      async function expectFailure(line: string): Promise<void> {
        const failed = await stack.up();
        const errors = messagesOf(failed, "error");

        expect(failed.failed).toBe(true);
        expect(errors).toContainEqual(expect.stringContaining(line));
        if (form === "the plugin") expect(errors).toContainEqual(expect.stringContaining(REFUSED));

        expect([await stack.state(), service.channels()]).toEqual(before);
      }

      service.updateDomain(DOMAIN, { expiresAt: "2001-02-03" });
      await expectFailure("shop.example expired on 2001-02-03");

      service.updateDomain(DOMAIN, { expiresAt: "2999-12-31" });
      service.fault({ operation: "getDomain", status: 404 });
      await expectFailure("got 404");

      const again = await stack.up();

      expect(again.failed).toBe(false);
      expect(Object.keys(again.changes)).toEqual(["same"]);
      expect(await stack.destroy()).toMatchObject({ failed: false });
      expect(service.channels()).toMatchObject([{ label: "Registrar desk" }]);
    },
  );
});

describe("the delete of a channel", () => {
  it.each([
    [
      "is refused in a run in which a function failed, with the Automation API",
      { PULUMI_AUTOMATION_API: "true" },
    ],
    ["is sent in a run in which a function failed, without the Automation API", {}],
  ])("%s", async (_title, env: Record<string, string>) => {
    await using service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
    const plugin = await PluginProcess.start({ env });
    const settings = { baseUrl: service.url, apiToken: secret(TOKEN), lifecycle: "managed" };
    try {
      await plugin.configure(settings);
      const { id, properties } = await plugin.create({ ...CHANNELS.ops, domainId: DOMAIN });
      // A run of its own.
      await plugin.configure(settings);
      await refusalOf(plugin.invoke("getDomain", { id: "missing" }));

      if (env.PULUMI_AUTOMATION_API) {
        const { message } = await refusalOf(plugin.delete(id, properties));

        expect(message).toContain(`${REFUSED}, even if the program catches the error`);
        expect(service.channels()).toHaveLength(1);

        // A later run, such as a destroy.
        await plugin.configure(settings);
      }

      await plugin.delete(id, properties);

      expect(service.channels()).toEqual([]);
    } finally {
      await plugin.stop();
    }
  });
});
