/** A token that is replaced in the service and in the stack. */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { Cli } from "../support/cli";
import { describeWithPulumi } from "../support/engines";

const domainId = "11111111-1111-4111-8111-111111111111";
describeWithPulumi("a token that changes between two commands", () => {
  let service: Emulator;
  beforeEach(async () => {
    service = await startEmulator({ token: "first-token" });
  });

  afterEach(() => service.close());

  it("is taken by the next up, and destroy needs none", async () => {
    const program = `
      const { NotificationChannel } = require("pulumi-domain-monitoring");
      for (const name of process.env.CHANNELS.split(",")) {
        new NotificationChannel(name, { domainId: "${domainId}", label: "Channel " + name, type: "pushover", value: null });
      }`;

    const cli = await Cli.open(program, { CHANNELS: "first" });
    await cli.run("config", "set", "domain-monitoring:baseUrl", service.url);
    await cli.run("config", "set", "--secret", "domain-monitoring:apiToken", "first-token");

    expect((await cli.change("up")).code).toBe(0);

    const port = Number(new URL(service.url).port);
    await service.close();
    service = await startEmulator({ token: "second-token", port });
    cli.set("CHANNELS", "first,second");
    const refused = await cli.change("up");

    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("got 401");
    expect(refused.output).not.toMatch(/(first|second)-token/);

    await cli.run("config", "set", "--secret", "domain-monitoring:apiToken", "second-token");
    expect((await cli.change("up")).code).toBe(0);
    expect(service.channels().map(({ label }) => label)).toEqual(["Channel second"]);

    await service.close();
    expect((await cli.change("refresh")).code).toBe(0);

    await cli.run("config", "rm", "domain-monitoring:apiToken");
    await cli.run("config", "rm", "domain-monitoring:baseUrl");
    expect((await cli.change("destroy")).code).toBe(0);
  });
});
