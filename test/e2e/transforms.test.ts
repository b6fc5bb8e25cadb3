/** Channels and domains as transforms of the program leave them. */
import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, Provider } from "../../src";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

const domainId = "11111111-1111-4111-8111-111111111111";
const destination = "https://hooks.slack.com/services/destination-to-keep-secret";

function channel(label: string, opts: pulumi.CustomResourceOptions = {}): NotificationChannel {
  return new NotificationChannel(
    label,
    { domainId, type: "slack", value: destination, label },
    opts,
  );
}

// These programs are in files: in an inline program the SDK loses track of secrets behind a
// transform (docs/secrets.md).
describeOnEngines("channels behind transforms", (create, engine) => {
  const service = useEmulator({ lifecycle: "managed" });
  const projects = new Projects();

  it("are created or adopted as all transforms leave them, with secret destinations", async () => {
    const slack = { type: "slack", value: destination };
    const adopt = service.addChannel(domainId, { label: "By hand", type: "slack" });
    const program = `
      const pulumi = require("@pulumi/pulumi");
      const { DomainAlerts, NotificationChannel } = require("pulumi-domain-monitoring");
      const change = (more) => ({ type, props, opts }) =>
        type === NotificationChannel.__pulumiType ? { props: { ...props, ...more }, opts } : undefined;
      pulumi.runtime.registerResourceTransform(change({ dnsNotificationsEnabled: false }));
      const [domainId, declared] = ["${domainId}", { ...${JSON.stringify(slack)}, label: "Declared" }];
      new NotificationChannel("own", { ...declared, domainId }, { transforms: [change({ label: "By its own" })] });
      new NotificationChannel("adopted", { ...declared, domainId, lifecycle: "managed" }, { transforms: [change({ adopt: "${adopt}" })] });
      const transforms = [change({ label: "By the component's" })];
      new DomainAlerts("website", { domainId, channels: { ops: declared } }, { transforms });`;

    const stack = await create({
      workDir: projects.add("index.js", { "index.js": program }),
      ...settingsFor(service),
      keepsSecret: [destination],
    });

    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 4 } });

    const channels = service.channels().sort((a, b) => (a.label < b.label ? -1 : 1));
    const transformed = { dnsNotificationsEnabled: false, value: destination };
    expect(channels).toMatchObject([
      { ...transformed, label: "By its own" },
      { ...transformed, label: "By the component's" },
      { ...transformed, label: "Declared", id: adopt },
    ]);

    // packages/pulumi-offline/test/parity tests the next update on the offline engine.
    if (engine === "real") expect((await stack.up()).changes).toEqual({ same: 4 });
  });
});

type Inject = pulumi.ResourceTransform & pulumi.ResourceTransformation;

/**
 * Declares channels that get their provider after their declaration. Each key names what adds it.
 */
const ways: Record<string, (name: string, inject: Inject) => void> = {
  "its transform": (name, inject) => channel(name, { transforms: [inject] }),
  "its transformation": (name, inject) => channel(name, { transformations: [inject] }),
  "a transform of its parent": (name, inject) =>
    channel(name, { parent: site("first", { transforms: [inject] }) }),
  "a transformation of its parent": (name, inject) =>
    channel(name, { parent: site("second", { transformations: [inject] }) }),
  "a transform of the stack": (name, inject) => {
    pulumi.runtime.registerResourceTransform(inject);
    channel(name);
  },
  "a transformation of the stack": (name, inject) => {
    pulumi.runtime.registerStackTransformation(inject);
    channel(name);
  },
};

function site(name: string, opts: pulumi.ComponentResourceOptions): pulumi.ComponentResource {
  return new pulumi.ComponentResource("test:index:Site", name, {}, opts);
}

describeOnEngines("channels that get their provider after they were declared", (create) => {
  const service = useEmulator({ token: "token-to-keep-secret" });

  it("are previewed, and created in that account", async () => {
    const stack = await create({
      program: () => {
        const provider = new Provider("account", { baseUrl: service.url, apiToken: service.token });
        for (const [way, declare] of Object.entries(ways))
          declare(way, ({ name, props, opts }) =>
            name === way ? { props, opts: { ...opts, provider } } : undefined,
          );
      },
      // An empty variable counts as not set.
      env: { DOMAIN_MONITORING_BASE_URL: "", DOMAIN_MONITORING_API_TOKEN: "" },
      keepsSecret: [service.token],
    });
    const preview = await stack.preview();
    expect(preview.failed).toBe(false);
    expect(messagesOf(preview, "error")).toEqual([]);
    expect(await stack.up()).toMatchObject({ failed: false });

    const labels = service.channels().map(({ label }) => label);
    expect(labels.sort()).toEqual(Object.keys(ways).sort());
  });
});
