import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines } from "../support/engines";
import { Projects } from "../support/project";

const destination = "https://hooks.slack.com/services/destination-to-keep-secret";

describeOnEngines("a channel behind a transform", (create) => {
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
});
