import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, Provider } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines, type Outcome } from "../support/engines";
import { Projects } from "../support/project";

const domainId = "11111111-1111-4111-8111-111111111111";
const destination = "https://hooks.slack.com/services/destination-to-keep-secret";

function channel(label: string, opts: pulumi.CustomResourceOptions = {}): NotificationChannel {
  return new NotificationChannel(label, { domainId, type: "slack", value: destination, label }, opts);
}

// In files: in an inline program the SDK loses what is secret behind a transform (docs/secrets.md).
describeOnEngines("channels behind transforms", (create) => {
  let service: Emulator;
  let projects: Projects;

  beforeEach(async () => {
    service = await startEmulator();
    projects = new Projects();
  });
  afterEach(async () => {
    projects.remove();
    await service.close();
  });

  it("are created as their own transforms, those of a component around them and the stack's leave them, their destinations secret", async () => {
    const slack = { type: "slack", value: destination };
    const program = `
      const pulumi = require("@pulumi/pulumi");
      const { DomainAlerts, NotificationChannel } = require("pulumi-domain-monitoring");
      const change = (more) => ({ type, props, opts }) =>
        type === NotificationChannel.__pulumiType ? { props: { ...props, ...more }, opts } : undefined;
      pulumi.runtime.registerResourceTransform(change({ dnsNotificationsEnabled: false }));
      const [domainId, declared] = ["${domainId}", { ...${JSON.stringify(slack)}, label: "Declared" }];
      new NotificationChannel("own", { ...declared, domainId }, { transforms: [change({ label: "By its own" })] });
      const transforms = [change({ label: "By the component's" })];
      new DomainAlerts("website", { domainId, channels: { ops: declared } }, { transforms });`;
    const stack = await create({
      workDir: projects.add("index.js", { "index.js": program }),
      config: { "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": service.token },
      keepsSecret: [destination],
    });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 3 } });
    const channels = service.channels().sort((a, b) => (a.label < b.label ? -1 : 1));
    const transformed = { dnsNotificationsEnabled: false, value: destination };
    expect(channels).toMatchObject([
      { ...transformed, label: "By its own" },
      { ...transformed, label: "By the component's" },
    ]);
    expect((await stack.up()).changes).toEqual({ same: 3 });
  });
});

type Inject = pulumi.ResourceTransform & pulumi.ResourceTransformation;

/** How a program gives its channels a provider after they were declared, and how many channels. */
const injections: [string, (inject: Inject) => void, number][] = [
  [
    "transforms and transformations of its own and of its parent",
    (inject) => {
      const site = (name: string, opts: pulumi.ComponentResourceOptions) =>
        new pulumi.ComponentResource("test:index:Site", name, {}, opts);
      channel("transform", { transforms: [inject] });
      channel("transformation", { transformations: [inject] });
      channel("transform of its parent", { parent: site("first", { transforms: [inject] }) });
      channel("transformation of its parent", { parent: site("second", { transformations: [inject] }) });
    },
    4,
  ],
  [
    "a transform of the stack",
    (inject) => {
      pulumi.runtime.registerResourceTransform(inject);
      channel("ops");
    },
    1,
  ],
  [
    "a transformation of the stack",
    (inject) => {
      pulumi.runtime.registerStackTransformation(inject);
      channel("ops");
    },
    1,
  ],
];

describeOnEngines("a channel that gets its provider", (create) => {
  let service: Emulator;
  let projects: Projects;

  beforeEach(async () => {
    service = await startEmulator({ token: "token-to-keep-secret" });
    projects = new Projects();
  });
  afterEach(async () => {
    projects.remove();
    await service.close();
  });

  const withoutSettings = () => ({
    // An empty variable counts as not set.
    env: { DOMAIN_MONITORING_BASE_URL: "", DOMAIN_MONITORING_API_TOKEN: "" },
    keepsSecret: [service.token],
  });

  it.each(injections)("from %s is previewed, and created in that account", async (_how, declare, count) => {
    const stack = await create({
      program: () => {
        const provider = new Provider("account", { baseUrl: service.url, apiToken: service.token });
        declare(({ type, props, opts }) =>
          type === NotificationChannel.__pulumiType ? { props, opts: { ...opts, provider } } : undefined,
        );
      },
      ...withoutSettings(),
    });
    const preview = await stack.preview();
    expect({ failed: preview.failed, errors: errors(preview) }).toEqual({ failed: false, errors: [] });
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(service.channels()).toEqual(Array(count).fill(expect.objectContaining({ value: destination })));
  });

  // Where there is neither: life.test.ts.
  it.each([
    ["a transform that gives none", "declare('first', { transforms: [relabel] }); declare('second', {});"],
    ["a transformation that gives none", "declare('first', { transformations: [relabel] });"],
  ])("from %s lacks settings, which its preview says in one line", async (_how, code) => {
    // In a process of its own, which ends.
    const program = `
      const { NotificationChannel } = require("pulumi-domain-monitoring");
      const relabel = ({ props, opts }) => ({ props: { ...props, label: "Transformed" }, opts });
      const channel = ${JSON.stringify({ domainId, type: "slack", value: destination })};
      const declare = (name, opts) => new NotificationChannel(name, { ...channel, label: name }, opts);
      ${code}`;
    const workDir = projects.add("index.js", { "index.js": program });
    const stack = await create({ workDir, ...withoutSettings() });
    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);
    expect(
      errors(outcome)
        .join("\n")
        .match(/.*pulumi config set domain-monitoring:baseUrl.*/g),
    ).toHaveLength(1);
    expect(errors(outcome).join("\n")).not.toMatch(/\n\s+at /);
    expect(service.requests).toEqual([]);
  });
});

function errors({ diagnostics }: Outcome): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}
