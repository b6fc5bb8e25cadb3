/** examples/fleet, which deploys the stacks of many teams. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { filesHolding } from "../../scripts/example/files-holding.cjs";
import { engineEnvironment } from "../../scripts/real-engine.cjs";
import { TSC } from "../../scripts/sources.cjs";
import { environmentFor } from "../support/account";
import { describeWithPulumi } from "../support/engines";
import { quickSdk } from "../support/quick-sdk";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { copyInto, linkPackages } from "./support/copy";

const address = "fleet-destination-to-keep-secret@example.com";

describeWithPulumi("the fleet", () => {
  it("deploys the other teams if one fails, and all of them the next time", async () => {
    const directory = temporaryDirectory();
    const project = path.join(directory, "project");
    copyInto(project, "examples/fleet");
    linkPackages(project);

    const compiled = await run(process.execPath, [TSC, "-p", project]);
    expect(compiled).toMatchObject({ code: 0, output: "" });

    await using service = await startEmulator();
    const desk = { label: "Registrar desk", type: "email", destination: "DESK_EMAIL" };
    const names = ["brand", "platform", "shop"];
    const teams = Object.fromEntries(names.map((team) => [team, { desk }]));
    const domains = names.map((team) => ({
      name: `${team}.example`,
      id: service.addDomain(),
      team,
    }));
    // JSON is YAML.
    writeFileSync(path.join(project, "domains.yaml"), JSON.stringify({ teams, domains }));

    const fleet = (...args: string[]) =>
      run(process.execPath, [path.join(project, "dist/fleet.js"), ...args], {
        cwd: project,
        env: {
          ...process.env,
          ...engineEnvironment(directory),
          ...quickSdk,
          ...environmentFor(service),
          DESK_EMAIL: address,
        },
      });

    expect((await fleet("--preview")).code).toBe(0);
    expect(service.channels()).toHaveLength(0);

    const body = { message: "Not today" };
    service.fault({ operation: "createNotificationChannel", status: 422, body });
    const first = await fleet();
    expect(first.code).toBe(1);
    expect(first.stdout).toContain("failed: brand\n");
    expect(first.output).toContain("Not today");
    expect(service.channels()).toHaveLength(2);

    const second = await fleet();
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("all deployed\n") });
    expect(service.channels()).toHaveLength(3);

    const secrets = [address, service.token];
    for (const secret of secrets) expect(first.output + second.output).not.toContain(secret);
    expect(filesHolding(directory, secrets)).toEqual([]);
  }, 400_000);
});
