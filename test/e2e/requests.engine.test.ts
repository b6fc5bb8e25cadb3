/**
 * Rare requests of the engine that users can cause: repeating a create, and deleting a channel that
 * is older than the stack or that stays. The service counts requests and channels.
 */
import type { FaultRule } from "../../packages/domain-monitoring-emulator/src";
import { AT_ONCE, Cli } from "../support/cli";
import { useEmulator, useRequests } from "../support/emulator";
import { describeWithPulumi } from "../support/engines";
import type { Finished } from "../support/run";

const domainId = "11111111-1111-4111-8111-111111111111";
const token = "token-to-keep-secret";
const address = "destination-to-keep-secret@example.com";
/**
 * Declares a channel for each line of `CHANNELS`: its name, arguments and options as JSON. The
 * option `"other"` selects the other provider.
 */
const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const { NotificationChannel, Provider } = require("pulumi-domain-monitoring");
  const lines = JSON.parse(process.env.CHANNELS);
  const { BASE_URL: baseUrl, TOKEN: apiToken } = process.env;
  const other = JSON.stringify(lines).includes('"other"') && new Provider("other", { baseUrl, apiToken, lifecycle: "managed" });
  for (const [name, args, { again, provider, secretLabel, ...opts } = {}] of lines) {
    if (secretLabel) args.label = pulumi.secret(secretLabel);
    const hooks = again && { onError: [new pulumi.ErrorHook("again", () => true)] };
    new NotificationChannel(
      name,
      { domainId: "${domainId}", label: "Channel", type: "email", value: "${address}", ...args },
      { ...opts, hooks, provider: provider && other },
    );
  }`;

const refusesDeletes: FaultRule = {
  operation: "deleteNotificationChannel",
  status: 403,
  times: "always",
};

type Line = [name: string, args: object, opts?: object];

const service = useEmulator({ token, lifecycle: "managed" });
const takeRequests = useRequests(service, ({ method }) => method);
let cli: Cli;

beforeEach(async () => {
  const account = { BASE_URL: service.url, TOKEN: token, DOMAIN_MONITORING_API_TOKEN: token };
  cli = await Cli.open(PROGRAM, account);
  await cli.run("config", "set", "domain-monitoring:baseUrl", service.url);
  await cli.run("config", "set", "domain-monitoring:maxRetries", "0");
});

afterEach(() => {
  const written = cli.written();
  for (const secret of [token, address]) expect(written).not.toContain(secret);
});

async function up(lines: Line[], ...options: string[]): Promise<Finished> {
  cli.set("CHANNELS", JSON.stringify(lines));
  return cli.change("up", ...options);
}

// A repeated create and its messages are tested in test/provider/channel.test.ts.
describeWithPulumi("an onError hook that repeats a create", () => {
  it("creates no second channel after a lost response, and records one whose response had its id", async () => {
    const again: Line[] = [["ops", {}, { again: true }]];
    service.fault({ operation: "createNotificationChannel", reset: "after" });
    const lost = await up(again);

    expect(lost.code).not.toBe(0);
    expect(takeRequests()).toEqual(["POST"]);
    expect(service.channels()).toHaveLength(1);

    const body = { data: { id: "only-the-id" } };
    service.fault({ operation: "createNotificationChannel", status: 201, body });

    const { code, output } = await up(again);
    expect(code).toBe(0);
    expect(takeRequests()).toEqual(["POST"]);
    expect(output).toContain(
      "was created by an earlier attempt of this run: it is not created again",
    );
    expect((await up([["ops", {}]])).output).toContain("1 unchanged");
    expect(takeRequests()).toEqual([]);
  });
});

// How a delete uses its record is tested in test/provider/managed-creates.test.ts.
describeWithPulumi("an adopted channel", () => {
  const adopt = "33333333-3333-4333-8333-333333333333";

  it.each<[string, Line, string[]]>([
    ["is renamed and given to another provider", ["renamed", { adopt }, { provider: "other" }], []],
    [
      "is replaced by command, first deleted",
      ["ops", { adopt }, { deleteBeforeReplace: true }],
      ["--replace", "**ops"],
    ],
    ["loses adopt and is replaced at once", ["ops", { type: "pushover", value: "a-key" }], []],
  ])("stays when its resource %s, and is named", async (_case, line, options) => {
    await cli.run("config", "set", "domain-monitoring:lifecycle", "managed");
    service.addChannel(domainId, { id: adopt, label: "By hand", type: "email", value: address });

    expect((await up([["ops", { adopt }]])).code).toBe(0);

    takeRequests();
    const { code, output } = await up([line], ...options);
    expect(output).toContain(`(id ${adopt}, domain ${domainId}) stays`);
    expect(code).toBe(0);
    expect(takeRequests()).not.toContain("DELETE");
    expect(service.channels().map(({ id }) => id)).toContain(adopt);
  });
});

describeWithPulumi("a channel that the stack created", () => {
  it("is not named by a label that is secret, by the provider or the engine", async () => {
    const secretLabel = "hidden-label";
    await up([["ops", {}, { secretLabel }]]);
    service.fault({ operation: "createNotificationChannel", reset: "after" });
    const { output } = await up([["ops", { dnsNotificationsEnabled: false }, { secretLabel }]]);

    expect(output).toContain('"[secret]" (id ');

    const destroyed = await cli.change("destroy");
    expect(output + destroyed.output).not.toContain(secretLabel);
  });

  it("leaves the stack by the advised command after the service refused to delete a replaced one", async () => {
    service.fault(refusesDeletes);
    const lines: Line[] = [["ops", {}, { provider: "other" }]];

    await up(lines);
    const refused = await up(lines, "--replace", "**ops");
    expect(refused.code).not.toBe(0);
    expect(service.channels()).toHaveLength(2);

    takeRequests();
    const [, advised = ""] =
      /`pulumi (config set domain-monitoring:abandon [\w,-]+)`/.exec(refused.output) ?? [];

    await cli.run(...advised.split(" "));
    service.clearFaults();
    const { code, output } = await up(lines);

    expect(output).toContain("because domain-monitoring:abandon");
    expect(code).toBe(0);
    expect(takeRequests()).toEqual([]);
    expect(service.channels()).toHaveLength(2);
    expect((await up(lines)).output).toContain("unchanged");
  });

  it.each([{}, { provider: "other" }])(
    "is destroyed by the advised commands after a refusal: %j",
    async (opts) => {
      service.fault(refusesDeletes);
      await up([
        ["ops", { lifecycle: "managed" }, opts],
        ["desk", { lifecycle: "create-only", label: "Desk" }, opts],
      ]);

      const refused = await cli.change("destroy");
      expect(refused.code).not.toBe(0);

      const [, set = "", destroy = ""] =
        /`pulumi (config set [^`]+)` and `pulumi up`, or in a destroy `pulumi ([^`]+)`/.exec(
          refused.output,
        ) ?? [];

      await cli.run(...set.split(" "));
      service.clearFaults();
      takeRequests();
      const { code, output } = await cli.run(...destroy.split(" "), ...AT_ONCE);

      expect(output).toContain("because domain-monitoring:abandon");
      expect(code).toBe(0);
      expect(takeRequests()).toEqual([]);
      expect(service.channels()).toHaveLength(2);
    },
  );
});
