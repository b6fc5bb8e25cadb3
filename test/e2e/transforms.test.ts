import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines, type Outcome } from "../support/engines";
import { Projects } from "../support/project";

const destination = "https://hooks.slack.com/services/destination-to-keep-secret";

describeOnEngines("a channel behind transforms", (create) => {
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

  it("is created as transformed, its destination secret", async () => {
    const channel = { domainId: "11111111-1111-4111-8111-111111111111", type: "slack", value: destination };
    const program = `
      const { NotificationChannel } = require("pulumi-domain-monitoring");
      const relabel = ({ props, opts }) => ({ props: { ...props, label: "Transformed" }, opts });
      const args = { ...${JSON.stringify(channel)}, label: "Declared" };
      new NotificationChannel("ops", args, { transforms: [relabel] });`;
    const stack = await create({
      workDir: projects.add("index.js", { "index.js": program }),
      config: { "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": service.token },
      keepsSecret: [destination],
    });
    const outcome = await stack.up();
    expect(outcome).toMatchObject({ failed: false, changes: { create: 1 } });
    expect(service.channels()).toMatchObject([{ label: "Transformed", value: destination }]);
    expect((await stack.up()).changes).toEqual({ same: 1 });
  });

  it("is created in a component as the component's own transforms and the stack's leave it", async () => {
    const ops = { label: "Declared", type: "slack", value: destination };
    const program = `
      const pulumi = require("@pulumi/pulumi");
      const { DomainAlerts, NotificationChannel } = require("pulumi-domain-monitoring");
      const change = (more) => ({ type, props, opts }) =>
        type === NotificationChannel.__pulumiType ? { props: { ...props, ...more }, opts } : undefined;
      pulumi.runtime.registerResourceTransform(change({ dnsNotificationsEnabled: false }));
      const args = { domainId: "11111111-1111-4111-8111-111111111111", channels: { ops: ${JSON.stringify(ops)} } };
      new DomainAlerts("website", args, { transforms: [change({ label: "Transformed" })] });`;
    const stack = await create({
      workDir: projects.add("index.js", { "index.js": program }),
      config: { "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": service.token },
      keepsSecret: [destination],
    });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 2 } });
    const transformed = { label: "Transformed", dnsNotificationsEnabled: false, value: destination };
    expect(service.channels()).toMatchObject([transformed]);
    expect((await stack.up()).changes).toEqual({ same: 2 });
  });
});

/** How a program gives its channels a provider after they were declared: code around `declare(name, opts)`, and how many. */
const injections: [string, string, number][] = [
  [
    "transforms and transformations of its own and of its parent",
    `const site = (name, opts) => new pulumi.ComponentResource("test:index:Site", name, {}, opts);
    declare("transform", { transforms: [inject] });
    declare("transformation", { transformations: [inject] });
    declare("transform of its parent", { parent: site("first", { transforms: [inject] }) });
    declare("transformation of its parent", { parent: site("second", { transformations: [inject] }) });`,
    4,
  ],
  ["a transform of the stack", "pulumi.runtime.registerResourceTransform(inject); declare('ops', {});", 1],
  [
    "a transformation of the stack",
    "pulumi.runtime.registerStackTransformation(inject); declare('ops', {});",
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

  /** A stack without settings; `inject` gives a channel the provider of an account. */
  function stackOf(code: string) {
    const channel = { domainId: "11111111-1111-4111-8111-111111111111", type: "slack", value: destination };
    const account = { baseUrl: service.url, apiToken: service.token };
    const program = `
      const pulumi = require("@pulumi/pulumi");
      const { NotificationChannel, Provider } = require("pulumi-domain-monitoring");
      const provider = new Provider("account", ${JSON.stringify(account)});
      const inject = ({ type, props, opts }) =>
        type === NotificationChannel.__pulumiType ? { props, opts: { ...opts, provider } } : undefined;
      const relabel = ({ props, opts }) => ({ props: { ...props, label: "Transformed" }, opts });
      const declare = (name, opts) =>
        new NotificationChannel(name, { ...${JSON.stringify(channel)}, label: name }, opts);
      ${code}`;
    return create({
      workDir: projects.add("index.js", { "index.js": program }),
      // An empty variable counts as not set.
      env: { DOMAIN_MONITORING_BASE_URL: "", DOMAIN_MONITORING_API_TOKEN: "" },
      keepsSecret: [destination, service.token],
    });
  }

  it.each(injections)("from %s is previewed, and created in that account", async (_how, code, count) => {
    const stack = await stackOf(code);
    const preview = await stack.preview();
    expect({ failed: preview.failed, errors: errors(preview) }).toEqual({ failed: false, errors: [] });
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(service.channels()).toEqual(Array(count).fill(expect.objectContaining({ value: destination })));
  });

  it.each([
    ["no transform", "declare('first', {}); declare('second', {}); declare('third', {});"],
    ["a transform that gives none", "declare('first', { transforms: [relabel] }); declare('second', {});"],
    ["a transformation that gives none", "declare('first', { transformations: [relabel] });"],
  ])("from %s lacks settings, which its preview says in one line", async (_how, code) => {
    const stack = await stackOf(code);
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
