/**
 * The packed package without Pulumi's SDK. It is outside the repository, because the repository has
 * the SDK.
 */
import path from "node:path";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { accountOf } from "../cli/command";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { installTarball } from "./support/packed";

const MISSING =
  "Pulumi's SDK is not installed, and a program needs it: run `npm install @pulumi/pulumi`";

const directory = temporaryDirectory();
beforeAll(() => installTarball(directory, []));

const node = (args: string[], env = process.env) =>
  run(process.execPath, args, { cwd: directory, env });

it.each([
  ["a CommonJS program", ["-e", 'require("pulumi-domain-monitoring")']],
  ["an ES module", ["--input-type=module", "-e", 'import "pulumi-domain-monitoring";']],
])("%s ends with one line that says what to install, and no stack trace", async (_title, args) => {
  const { code, stdout, stderr } = await node(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  // Node shows where an error was thrown, and puts an error without a stack trace in brackets.
  expect(stderr.split(MISSING)).toHaveLength(2);
  expect(stderr).not.toMatch(/MODULE_NOT_FOUND|Cannot find module|^\s+at /m);
});

it("the provider checks inputs: it needs nothing of the SDK, whose process loads it", async () => {
  const script = `
    const { channel } = require("pulumi-domain-monitoring/provider");
    const inputs = { domainId: "d", label: "On-call", type: "carrier pigeon", value: "v" };
    channel.check({}, inputs).then(({ failures }) => console.log(failures.at(-1).reason));`;
  const { code, stdout, stderr } = await node(["-e", script]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^type is not a valid channel type: /);
});

it("with a service, the client reads a domain, and a command judges it", async () => {
  await using service = await startEmulator();
  const env = { PATH: process.env.PATH, ...accountOf(service) };

  const script = `
      const { DomainMonitoringClient } = require("pulumi-domain-monitoring/client");
      const { DOMAIN_MONITORING_BASE_URL: baseUrl, DOMAIN_MONITORING_API_TOKEN: apiToken } = process.env;
      const client = new DomainMonitoringClient({ baseUrl, apiToken });
      client.domains.list().then(async ({ data }) => {
        console.log(data.map((one) => one.domain).sort()[0]);
        await client.close();
      });`;

  const listed = await node(["-e", script], env);
  expect(listed).toMatchObject({ code: 0, stdout: "example.com\n", stderr: "" });

  const main = path.join(directory, "node_modules/pulumi-domain-monitoring/dist/cli/main.js");
  const judged = await node([main, "report", "--domain", "example.com", "--since", "none"], env);
  expect(judged).toMatchObject({ code: 0, stderr: "" });
  expect(judged.stdout).toContain("example.com");
});
