// `describe`, `test` and `expect` are globals, so that the same file runs in jest and,
// by `globals` of its configuration, in vitest.
import { type Emulator, startEmulator } from "domain-monitoring-emulator";
import { TestStack } from "pulumi-offline";

const slackUrl = "https://hooks.slack.com/services/not-a-real-one";

/**
 * The program in this directory, with a local service. Later changes of `config` apply to the next
 * operation.
 */
function stackOn(service: Emulator, config: Record<string, string>) {
  return TestStack.create({
    workDir: __dirname,
    config: Object.assign(config, { "domain-monitoring:baseUrl": service.url }),
    secrets: { "domain-monitoring:apiToken": service.token, slackUrl },
  });
}

describe("the program", () => {
  test("creates its channel once", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain({ domain: "example.com" });
    await using stack = await stackOn(service, { domainId });

    expect((await stack.preview()).changes).toEqual({ create: 1 });
    const { outputs } = await stack.up();
    await stack.up({ expectNoChanges: true });

    expect(service.channels(domainId)).toMatchObject([
      { label: "On-call", type: "slack", value: slackUrl },
    ]);
    expect(outputs.channelId?.value).toBe(service.channels()[0]?.id);
  });

  test("leaves the old channel behind when the label changes, and says so", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain();
    const config: Record<string, string> = { domainId };
    await using stack = await stackOn(service, config);
    await stack.up();

    config.label = "On-call, new";
    const { changes, diagnostics } = await stack.up();

    expect(changes).toEqual({ replace: 1 });
    expect(diagnostics.map(({ message }) => message).join("\n")).toContain(") stays");
    expect(service.channels()).toHaveLength(2);
  });

  test("does not create a second channel if the response to the first was lost", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain();
    service.fault({ operation: "createNotificationChannel", reset: "after" });
    await using stack = await stackOn(service, { domainId });

    await expect(stack.up()).rejects.toThrow("may have been created");

    expect(service.channels()).toHaveLength(1);
  });

  test("fails if the domain expires too soon, and creates nothing", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain({ domain: "example.org", expiresAt: "2020-01-31" });
    await using stack = await stackOn(service, { domainId });

    await expect(stack.preview()).rejects.toThrow("example.org");
    await expect(stack.up()).rejects.toThrow("example.org");
    expect(service.channels()).toEqual([]);
  });
});
