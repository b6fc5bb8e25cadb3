/**
 * Channels behind a rule, without a preview: the Automation API's `up` is `pulumi up
 * --skip-preview`.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines, FORMS, messagesOf } from "../support/engines";
import { Projects } from "../support/project";
import { isQuick } from "../support/scope";

const id = "11111111-1111-4111-8111-111111111111";
const channel = (label: string) => `label: "${label}", type: "email", value: "ops@example.com"`;

const withFunction = (label: string) => `
  const { NotificationChannel, requireDomainExpiryOutput } = require("pulumi-domain-monitoring");
  const { domainId } = requireDomainExpiryOutput({ id: "${id}", minimumDays: 30 });
  new NotificationChannel("ops", { domainId, ${channel(label)} });`;

const withComponent = (label: string) => `
  const { DomainAlerts } = require("pulumi-domain-monitoring");
  const channels = { ops: { ${channel(label)} } };
  new DomainAlerts("shop", { domainId: "${id}", channels, expiry: { minimumDays: 30 } });`;

const EVERY_CASE = [
  ["a DomainAlerts with a rule", withComponent, {}] as const,
  ...FORMS.map(
    ([name, form]) => [`a channel behind a rule, ${name},`, withFunction, form] as const,
  ),
];

const CASES = isQuick ? EVERY_CASE.slice(0, 1) : EVERY_CASE;

describeOnEngines("in a program", (create) => {
  const projects = new Projects();
  const service = useEmulator({
    domains: [{ id, domain: "shop.example", expiresAt: "2001-02-03" }],
  });

  it.each(CASES)(
    "%s is created only once the domain keeps it, and not touched while it breaks it",
    async (_what, program, form) => {
      const workDir = projects.add("index.js", { "index.js": program("Ops") });
      const stack = await create({ ...form, workDir, ...settingsFor(service) });

      const operations = () => service.requests.map(({ operation }) => operation);
      const line = /^shop\.example expired on 2001-02-03/;

      const refused = await stack.up();
      expect(refused.failed).toBe(true);
      expect(messagesOf(refused, "error")).toContainEqual(expect.stringMatching(line));
      expect(operations()).not.toContain("createNotificationChannel");

      service.updateDomain(id, { expiresAt: "2999-12-31" });
      expect(await stack.up()).toMatchObject({ failed: false });

      const { changes, ...unchanged } = await stack.preview();
      expect(Object.keys(changes)).toEqual(["same"]);
      expect(unchanged).toMatchObject({ diagnostics: [] });

      service.updateDomain(id, { expiresAt: "2001-02-03" });
      writeFileSync(path.join(workDir, "index.js"), program("Another"));
      const preview = await stack.preview();

      // It announces no replacement, because there will be none.
      expect(preview.failed).toBe(true);
      expect(messagesOf(preview, "warning")).toEqual([]);
      expect((await stack.up()).failed).toBe(true);
      expect(service.channels()).toMatchObject([{ label: "Ops" }]);
      expect((await stack.state()).map(({ urn }) => urn)).toContainEqual(
        expect.stringMatching(/NotificationChannel::.*ops$/),
      );
    },
  );
});
