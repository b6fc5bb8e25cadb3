import { getDomainOutput, NotificationChannel } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines } from "../support/engines";

const domainId = "11111111-1111-4111-8111-111111111111";
const destination = "https://hooks.slack.com/services/T000/B000/destination-to-keep-secret";
const token = "token-to-keep-secret";

describeOnEngines("a notification channel", (create) => {
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({ token });
  });
  afterEach(async () => {
    await service.close();
  });

  const settings = () => ({
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": token },
  });
  const channel = (args: { label?: string; onOrphan?: "warn" | "error" } = {}) =>
    new NotificationChannel("ops", {
      domainId,
      label: "Operations",
      type: "slack",
      value: destination,
      ...args,
    });

  it("is previewed, created once, left alone, replaced with a warning, and named when it is destroyed", async () => {
    let label = "Operations";
    const stack = await create({
      ...settings(),
      keepsSecret: [destination],
      program: () => {
        const ops = channel({ label });
        return {
          id: ops.channelId,
          value: ops.value,
          expiresAt: getDomainOutput({ id: domainId }).expiresAt,
        };
      },
    });

    const preview = await stack.preview();
    expect(preview.failed).toBe(false);
    expect(preview.changes).toEqual({ create: 1 });
    expect(service.channels()).toHaveLength(0);

    const up = await stack.up();
    expect(up.changes).toEqual({ create: 1 });
    expect(service.channels()).toHaveLength(1);
    expect(up.outputs.id?.value).toBe(service.channels()[0]?.id);
    expect(up.outputs.value).toMatchObject({ secret: true });
    expect(up.outputs.expiresAt?.value).toMatch(/^\d{4}-\d{2}-\d{2}$/);

    expect((await stack.up()).changes).toEqual({ same: 1 });
    expect((await stack.refresh()).changes).toEqual({ same: 1 });
    expect((await stack.up()).changes).toEqual({ same: 1 });
    expect(service.channels()).toHaveLength(1);

    label = "Operations at night";
    const replacing = await stack.preview();
    expect(replacing.changes).toEqual({ replace: 1 });
    expect(texts(replacing)).toContain(
      `"Operations" (slack, domain ${domainId}, id ${service.channels()[0]?.id}) is to be replaced`,
    );
    const replaced = await stack.up();
    expect(replaced.changes).toEqual({ replace: 1 });
    expect(service.channels()).toHaveLength(2);

    const destroyed = await stack.destroy();
    expect(destroyed.changes).toEqual({ delete: 1 });
    expect(texts(destroyed)).toContain(`id ${service.channels()[1]?.id}) leaves this stack`);
    expect(service.channels()).toHaveLength(2);
  });
});

function texts(outcome: { diagnostics: { message: string }[] }): string {
  return outcome.diagnostics.map(({ message }) => message).join("\n");
}
