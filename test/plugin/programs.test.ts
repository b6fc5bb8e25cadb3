/**
 * Whole programs with the bundled plugin on the real engine. They do not need a generated SDK. The
 * life of a create-only channel is in `languages.test.ts`.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, EMAIL, SLACK_URL, TOKEN } from "../provider/support/channels";
import { describeOnRealEngine, messagesOf } from "../support/engines";
import { PLUGIN_DIRECTORY as plugin } from "./support/plugin-process";

const ROTATED = "https://hooks.slack.com/services/rotated-slack-secret";

/** Like a generated SDK's class, but without its marks for secrets. */
class Channel extends pulumi.CustomResource {
  constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
    super("domain-monitoring:index:NotificationChannel", name, { ...args }, opts);
  }
}

const ops = {
  domainId: DOMAIN,
  label: "Ops on-call",
  type: "slack" as const,
  value: SLACK_URL,
};

describeOnRealEngine("a program with the plugin", (create) => {
  let service: Emulator;
  let counted: number;

  beforeEach(async () => {
    service = await startEmulator({ token: TOKEN, lifecycle: "managed" });
    counted = 0;
  });

  afterEach(() => service.close());

  function start(program: () => unknown) {
    return create({
      plugin,
      config: {
        "domain-monitoring:baseUrl": service.url,
        "domain-monitoring:lifecycle": "managed",
      },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [SLACK_URL, ROTATED, EMAIL],
      program,
    });
  }

  /**
   * Methods of the requests since the last call. The account's list is left out, because a process
   * reads it at most once.
   */
  function takeRequests(): string[] {
    const requests = service.requests.filter(({ operation }) => operation !== "listDomains");
    const all = requests.map(({ method }) => method);
    const since = all.slice(counted);
    counted = all.length;

    return since;
  }

  test("carries managed channels from their create to their delete", async () => {
    const stack = await start(() => new Channel("ops", ops));

    expect(await stack.up()).toMatchObject({
      failed: false,
      changes: { create: 1 },
      diagnostics: [],
    });

    expect(takeRequests()).toEqual(["GET", "POST"]);

    const [{ id = "" } = {}] = service.channels();

    stack.change(
      () =>
        new Channel("ops", {
          ...ops,
          label: "Ops by day",
          value: ROTATED,
        }),
    );

    const preview = await stack.preview();

    expect(preview).toMatchObject({ changes: { update: 1 } });
    expect(messagesOf(preview)).toEqual([
      expect.stringContaining("the destination is to be changed"),
    ]);

    expect(takeRequests()).toEqual([]);
    expect(await stack.up()).toMatchObject({ changes: { update: 1 } });
    expect(takeRequests()).toEqual(["PATCH"]);
    expect(service.channels()).toMatchObject([{ id, label: "Ops by day", value: ROTATED }]);

    service.updateChannel(id, { label: "By hand" });

    expect(await stack.refresh()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(await stack.up()).toMatchObject({ changes: { update: 1 }, diagnostics: [] });
    expect(takeRequests()).toEqual(["GET", "PATCH"]);
    expect(service.channels()).toMatchObject([{ id, label: "Ops by day", value: ROTATED }]);

    service.removeChannel(id);

    expect(await stack.refresh()).toMatchObject({
      failed: false,
      changes: { delete: 1 },
      diagnostics: [],
    });

    expect(await stack.up()).toMatchObject({ changes: { create: 1 }, diagnostics: [] });
    expect(service.channels()).toHaveLength(1);

    stack.change(
      () =>
        new Channel("ops", {
          ...ops,
          type: "email",
          value: EMAIL,
        }),
    );

    expect(await stack.up()).toMatchObject({ failed: false, changes: { replace: 1 } });
    expect(service.channels()).toMatchObject([{ type: "email" }]);
    expect(await stack.destroy()).toMatchObject({
      failed: false,
      changes: { delete: 1 },
      diagnostics: [],
    });

    expect(service.channels()).toEqual([]);
  });
});
