/**
 * Channels behind a rule, without a preview: the Automation API's `up` is `pulumi up
 * --skip-preview`.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { settingsFor } from "../support/account";
import { describeOnEngines, FORMS, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

const id = "11111111-1111-4111-8111-111111111111";

describeOnEngines("a channel that takes its domain's id from a rule", (create) => {
  const projects = new Projects();
  let service: Emulator;
  beforeEach(async () => {
    service = await startEmulator({
      domains: [{ id, domain: "shop.example", expiresAt: "2001-02-03" }],
    });
  });

  afterEach(() => service.close());

  it.each(FORMS)(
    "is created only once the domain keeps the rule, and not touched while it breaks it, %s",
    async (_, form) => {
      const stack = await create({
        ...form,
        workDir: projects.add("index.js", {
          "index.js": `
          const { NotificationChannel, requireDomainExpiryOutput } = require("pulumi-domain-monitoring");
          const { domainId } = requireDomainExpiryOutput({ id: "${id}", minimumDays: 30 });
          new NotificationChannel("ops", { domainId, label: "Ops", type: "email", value: "ops@example.com" });`,
        }),
        ...settingsFor(service),
      });

      const operations = () => service.requests.map(({ operation }) => operation);
      const line = /^shop\.example expired on 2001-02-03/;

      const refused = await stack.up();

      expect(refused.failed).toBe(true);
      expect(messagesOf(refused, "error")).toContainEqual(expect.stringMatching(line));
      expect(operations()).not.toContain("createNotificationChannel");

      service.updateDomain(id, { expiresAt: "2999-12-31" });

      expect(await stack.up()).toMatchObject({ changes: { create: 1 }, failed: false });
      expect(await stack.preview()).toMatchObject({ changes: { same: 1 }, diagnostics: [] });

      service.updateDomain(id, { expiresAt: "2001-02-03" });

      expect((await stack.up()).failed).toBe(true);
      expect(service.channels()).toHaveLength(1);
      expect((await stack.state()).map(({ urn }) => urn)).toEqual([
        expect.stringContaining("::ops"),
      ]);
    },
  );
});
