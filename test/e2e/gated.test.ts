/** Channels behind a rule, by a function and by a component, that a domain no longer keeps. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines, FORMS, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

const id = "11111111-1111-4111-8111-111111111111";

const programOf = (label: string) => `
  const dm = require("pulumi-domain-monitoring");
  const [id, ops] = ["${id}", { label: "${label}", type: "email", value: "ops@example.com" }];
  const { domainId } = dm.requireDomainExpiryOutput({ id, minimumDays: 30 });
  new dm.NotificationChannel("ops", { domainId, ...ops });
  new dm.DomainAlerts("shop", { domainId: id, channels: { ops }, expiry: { minimumDays: 30 } });`;

describeOnEngines("in a program", (create) => {
  const projects = new Projects();
  const service = useEmulator({ domains: [{ id, domain: "shop.example" }] });

  // A first update is tested in test/program/requirements.test.ts.
  it.each(FORMS)(
    "channels are not touched while the domain breaks their rule, %s",
    async (_, form) => {
      service.updateDomain(id, { expiresAt: "2999-12-31" });
      const workDir = projects.add("index.js", { "index.js": programOf("Ops") });
      const stack = await create({ ...form, workDir, ...settingsFor(service) });
      expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 3 } });

      service.updateDomain(id, { expiresAt: "2001-02-03" });
      writeFileSync(path.join(workDir, "index.js"), programOf("Another"));
      const preview = await stack.preview();
      const line = /^shop\.example expired on 2001-02-03/;

      expect(preview.failed).toBe(true);
      expect(messagesOf(preview, "error")).toContainEqual(expect.stringMatching(line));
      // It announces no replacement, because there will be none.
      expect(messagesOf(preview, "warning")).toEqual([]);

      expect((await stack.up()).failed).toBe(true);
      expect(service.channels()).toMatchObject([{ label: "Ops" }, { label: "Ops" }]);

      const channels = (await stack.state()).filter(({ urn }) => /NotificationChannel::/.test(urn));
      expect(channels).toHaveLength(2);
    },
  );
});
