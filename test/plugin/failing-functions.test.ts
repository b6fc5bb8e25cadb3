/**
 * Functions that fail in an inline program (Automation API). Nothing waits for their results, so
 * the SDK ends the program as if all of it had been declared, and the engine goes on to delete what
 * was not. The npm package: test/program/component-life.test.ts.
 */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, SLACK_URL, TOKEN } from "../provider/support/channels";
import { PluginProcess, refusalOf, secret } from "./support/plugin-process";

const REFUSED = "nothing is deleted in a run in which a function failed";

const channel = {
  domainId: DOMAIN,
  label: "Ops on-call",
  type: "slack",
  value: SLACK_URL,
  lifecycle: "managed",
};

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
      const { id, properties } = await plugin.create(channel);
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
